"""Responses are the same alone and in any batch, and their log-probabilities are the forward's."""

import pytest
import torch

from tests.floats import DEEP, near
from tests.train.rl.models import END, policy, prompts
from wellshaped.train.models.dropout import without_dropout
from wellshaped.train.rl.generation.policy_generator import GenerationRequest, PolicyGenerator
from wellshaped.train.rl.policy import Actor, Reference
from wellshaped.train.rl.responses import drawn_logprobs, response_batch
from wellshaped.train.rollout_algorithm import Sampling

pytestmark = pytest.mark.slow

KINDS = ["gpt2", "llama"]


@pytest.fixture(scope="module", params=KINDS)
def model(request):
    return policy(request.param).eval()


def asked(repeats=1):
    rows = [(prompt, group) for group, prompt in enumerate(prompts()) for _ in range(repeats)]
    return [GenerationRequest(prompt, group, row) for row, (prompt, group) in enumerate(rows)]


def written(model, rows, *, length=12, update=0, batch_size=64, seed=3, **options):
    sampling = Sampling(response_length=length, **options)
    return PolicyGenerator(model, END, sampling, seed, batch_size)(rows, update=update)


def test_log_probabilities_of_the_draw_are_those_of_a_forward_pass(model):
    responses = written(model, asked(4), temperature=0.7)
    assert len({len(one.tokens) for one in responses}) > 3
    batch = response_batch(responses)
    actor = Actor(model)
    forward_BR = actor(batch, temperature=0.7).logprobs_BR
    drawn_BR = drawn_logprobs(responses, batch.mask_BR)
    torch.testing.assert_close(drawn_BR, forward_BR, **DEEP)
    ratio_BR = (forward_BR - drawn_BR).exp()
    torch.testing.assert_close(ratio_BR, torch.ones_like(ratio_BR), **DEEP)
    read_BR = Reference(model).logprobs(batch, temperature=0.7)
    torch.testing.assert_close(read_BR, forward_BR, **DEEP)


def test_a_row_alone_is_the_row_in_a_batch(model):
    rows = asked(2)
    together = written(model, rows)
    for alone, whole in zip(written(model, rows, batch_size=1), together, strict=True):
        assert alone.tokens == whole.tokens
        assert alone.logprobs == near(whole.logprobs, within=DEEP)
    backwards = written(model, rows[::-1])[::-1]
    assert [one.tokens for one in backwards] == [one.tokens for one in together]


def test_greedy_responses_are_those_of_transformers_row_by_row(model):
    for one in written(model, asked(), greedy=True):
        plain = model.generate(
            torch.tensor([one.prompt]),
            attention_mask=torch.ones(1, len(one.prompt), dtype=torch.long),
            do_sample=False,
            max_new_tokens=12,
        )
        assert list(one.tokens) == plain[0, len(one.prompt) :].tolist()


def test_finished_rows_leave_the_batch(model):
    read = []
    hook = model.register_forward_pre_hook(
        lambda _, __, given: read.append(len(given["input_ids"])), with_kwargs=True
    )
    responses = written(model, asked(4))
    hook.remove()
    lengths = [len(one.tokens) for one in responses]
    assert read == [sum(length > step for length in lengths) for step in range(max(lengths))]
    assert read[0] == 24 > read[-1]


def test_a_response_ends_with_its_end_or_at_the_length(model):
    for one in written(model, asked(4)):
        assert one.ended == (one.tokens[-1] == END)
        assert END not in one.tokens[:-1]
        assert one.ended or len(one.tokens) == 12
        assert len(one.tokens) == len(one.logprobs)


def test_least_length_and_number_of_words(model):
    short = [one for one in written(model, asked(4)) if len(one.tokens) < 4]
    assert short
    assert all(len(one.tokens) >= 4 for one in written(model, asked(4), min_length=3))
    assert (
        written(model, asked(), top_k=1)[0].tokens == written(model, asked(), greedy=True)[0].tokens
    )


def test_samples_of_one_prompt_and_of_other_updates_differ(model):
    first = written(model, asked(4))
    assert len({one.tokens for one in first[8:12]}) > 1
    assert [one.group for one in first[8:12]] == [2] * 4
    assert written(model, asked(4)) == first
    assert written(model, asked(4), update=1) != first


@pytest.mark.parametrize("kind", KINDS)
def test_dropout_is_off_in_training_mode_too(kind):
    model = policy(kind, dropout=0.3)
    tokens_BT = torch.tensor([prompts()[3]])
    without_dropout(model.eval())
    model.train()
    assert model(tokens_BT).logits.equal(model(tokens_BT).logits)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", ["separate", "shared"])
def test_padding_changes_nothing_and_values_are_read_before_each_token(kind, value):
    actor = Actor(policy(kind), value=value)
    torch.nn.init.normal_(actor.head.linear.weight)
    responses = written(actor.model, asked(2))
    whole = actor(response_batch(responses), entropy="shown")
    for row, one in enumerate(responses):
        alone = actor(response_batch([one]), entropy="shown")
        size = len(one.tokens)
        for name in ("logprobs_BR", "entropy_BR", "values_BR"):
            wide, narrow = getattr(whole, name)[row], getattr(alone, name)[0]
            torch.testing.assert_close(wide[:size], narrow, **DEEP)
            assert wide[size:].abs().sum() == 0
    last = responses[-1]
    states = actor.backbone if value == "separate" else actor.model.base_model
    hidden_TD = states(torch.tensor([last.prompt + last.tokens])).last_hidden_state[0]
    expected_R = actor.head(hidden_TD)[len(last.prompt) - 1 : -1]
    torch.testing.assert_close(whole.values_BR[-1][: len(last.tokens)], expected_R, **DEEP)
    wide = response_batch(responses, width=12, slot="after")
    after_BR = actor(wide).values_BR
    row = next(row for row, one in enumerate(responses) if len(one.tokens) < 12)
    one = responses[row]
    hidden_TD = states(torch.tensor([one.prompt + one.tokens])).last_hidden_state[0]
    value = actor.head(hidden_TD)[-1]
    torch.testing.assert_close(after_BR[row, len(one.tokens)], value, **DEEP)


def test_the_reference_stays_what_it_was():
    model = policy()
    responses = written(model, asked())
    reference = Reference(model)
    batch = response_batch(responses)
    before_BR = reference.logprobs(batch)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.05 * torch.randn_like(parameter))
    assert reference.logprobs(batch).equal(before_BR)
    assert not Actor(model)(batch).logprobs_BR.equal(before_BR)


def test_a_lora_policy_without_its_adapter_is_the_reference():
    from peft import LoraConfig, get_peft_model

    plain = policy("llama")
    responses = written(plain, asked())
    batch = response_batch(responses)
    plain_BR = Actor(plain)(batch).logprobs_BR
    adapted = get_peft_model(plain, LoraConfig(target_modules=["q_proj", "v_proj"]))
    with torch.no_grad():
        for name, parameter in adapted.named_parameters():
            if "lora_B" in name:
                parameter.normal_()
    reference = Reference(adapted)
    assert reference.logprobs(batch).equal(plain_BR)
    assert (Actor(adapted)(batch).logprobs_BR - plain_BR).abs().max() > 0.01
    trained = [name for name, one in Actor(adapted).named_parameters() if one.requires_grad]
    assert trained
    assert all("lora" in name for name in trained)
