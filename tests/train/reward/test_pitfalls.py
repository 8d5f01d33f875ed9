"""Known mistakes of reward models, by number: each one made on purpose beside the right answer."""

import pytest
import torch
import torch.nn.functional as F
from transformers import AutoModelForSequenceClassification

from tests.floats import DEEP
from tests.train.reward.families import END, alone, group, groups, reward_model, settled, tokens
from wellshaped.train.algorithms.reward import preference_loss
from wellshaped.train.reward.comparison_batches import pair_rewards
from wellshaped.train.reward.forward_plan import PADDED


def padded_right(texts, pad):
    ids = torch.nn.utils.rnn.pad_sequence(texts, batch_first=True, padding_value=pad)
    lengths = torch.tensor([len(text) for text in texts])
    return ids, torch.arange(ids.size(1)) < lengths.unsqueeze(1)


def flat(batch):
    return [text for texts in batch for text in texts]


def test_pitfall_1_the_last_token_is_found_by_the_mask_not_by_its_id():
    model, texts = settled(), flat(groups())
    ids, mask = padded_right(texts, END)
    torch.testing.assert_close(model.score_padded(ids, mask), alone(model, groups()), **DEEP)
    by_id = model.score_padded(ids, ids != END)
    assert not torch.isclose(by_id, alone(model, groups()), **DEEP).any()


def test_pitfall_2_the_last_place_of_a_padded_row_is_not_its_last_token():
    model, texts = settled(), flat(groups())
    ids, mask = padded_right(texts, 0)
    states = model.backbone(input_ids=ids, attention_mask=mask.long()).last_hidden_state
    wrong = model.head(states[:, -1]).squeeze(-1)
    right = model.score_padded(ids, mask)
    longest = mask.all(1)
    torch.testing.assert_close(wrong[longest], right[longest], **DEEP)
    assert not torch.isclose(wrong[~longest], right[~longest], **DEEP).any()


def test_pitfall_3_a_mean_is_taken_over_real_tokens_only():
    model, texts = settled("gpt2", "mean"), flat(groups())
    short, long = padded_right(texts, 0), padded_right([*texts, tokens(60, 1)], 0)
    torch.testing.assert_close(
        model.score_padded(*short), model.score_padded(*long)[: len(texts)], **DEEP
    )


def test_pitfall_4_positions_begin_at_the_first_real_token_when_padded_on_the_left():
    model, text = settled(), tokens(9, 2)
    ids = torch.cat((torch.full((5,), END), text)).unsqueeze(0)
    mask = torch.tensor([[False] * 5 + [True] * 9])
    torch.testing.assert_close(model.score_padded(ids, mask), model.score_alone(text), **DEEP)
    states = model.backbone(input_ids=ids, attention_mask=mask.long()).last_hidden_state
    without_positions = model.head(states[:, -1]).squeeze(-1)
    assert not torch.allclose(without_positions, model.score_alone(text), atol=1e-3)


@pytest.mark.parametrize("pooling", ["last", "mean", "attention"])
def test_pitfall_19_a_batch_of_one_keeps_its_axis(pooling):
    model = settled("gpt2", pooling)
    assert model.score([tokens(4, 1)]).shape == (1,)
    assert model.run([[tokens(4, 1)]], PADDED).shape == (1,)
    chosen, rejected = pair_rewards(model([group(3, 2, 4)]), [2])
    assert chosen.shape == rejected.shape == (1,)


def test_pitfall_21_the_loss_of_transformers_where_it_reads_the_right_token(tmp_path):
    # What TRL computes: the classifier on a padded batch, then the mean of -log sigmoid.
    model, batch = reward_model("llama"), [group(9, 4, 7, seed=n) for n in (0, 10, 20)]
    model.save_pretrained(tmp_path)
    peer = AutoModelForSequenceClassification.from_pretrained(tmp_path)
    texts = [pair[0] for pair in batch] + [pair[1] for pair in batch]
    ids, mask = padded_right(texts, peer.config.pad_token_id)
    chosen, rejected = peer(input_ids=ids, attention_mask=mask.long()).logits.squeeze(-1).chunk(2)
    wanted = -F.logsigmoid(chosen - rejected).mean()
    wanted.backward()
    loss = preference_loss(*pair_rewards(model(batch), [2, 2, 2])).mean
    loss.backward()
    torch.testing.assert_close(loss, wanted, **DEEP)
    theirs = {name: weight.grad for name, weight in peer.model.named_parameters()}
    for name, weight in model.backbone.named_parameters():
        torch.testing.assert_close(weight.grad, theirs[name], **DEEP)
    torch.testing.assert_close(model.head.weight.grad, peer.score.weight.grad, **DEEP)


def test_pitfall_24_rewards_of_a_bfloat16_model_do_not_tie():
    model = reward_model("llama")
    model.backbone.bfloat16()
    assert model.settle(64).packed
    batch = [group(20, 3, 3, seed=n) for n in range(0, 200, 10)]
    rewards = model(batch)
    assert rewards.dtype == torch.float32
    assert len(rewards.unique()) == len(rewards)
    assert len(rewards.bfloat16().unique()) < len(rewards)
