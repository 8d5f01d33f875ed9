"""What is written loads as an ordinary classifier, or here, and scores the same."""

import copy
import json

import pytest
import torch
from peft import LoraConfig, get_peft_model
from tokenizers import Tokenizer, models
from transformers import (
    AutoModel,
    AutoModelForSequenceClassification,
    AutoTokenizer,
    BertForSequenceClassification,
    PreTrainedTokenizerFast,
)

from tests.floats import DEEP
from tests.train.reward.families import (
    CONFIGS,
    DECODERS,
    END,
    VOCABULARY,
    alone,
    groups,
    reward_model,
)
from wellshaped.records.phrase import UserError
from wellshaped.train.reward.model import RewardModel

WORDS = {f"w{number}": number for number in range(VOCABULARY)}


def tokenizer(**marks):
    return PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(models.WordLevel(WORDS, unk_token="w5")), eos_token="w1", **marks
    )


def padded(texts, pad):
    return torch.nn.utils.rnn.pad_sequence(texts, batch_first=True, padding_value=pad)


def scored_by_transformers(folder, batch):
    """As a user of the written folder would: by the pad that stands in its configuration."""
    classifier = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    assert classifier.config.num_labels == 1
    texts = [text for texts in batch for text in texts]
    pad = classifier.config.pad_token_id
    ids = padded(texts, pad)
    lengths = torch.tensor([len(text) for text in texts])
    mask = torch.arange(ids.size(1)) < lengths.unsqueeze(1)
    with torch.no_grad():
        return classifier(input_ids=ids, attention_mask=mask.long()).logits.squeeze(-1)


@pytest.mark.parametrize("family", DECODERS)
def test_a_decoder_loads_as_an_ordinary_classifier(family, tmp_path):
    model = reward_model(family)
    wanted = model(groups()).detach()
    model.save_pretrained(tmp_path)
    torch.testing.assert_close(scored_by_transformers(tmp_path, groups()), wanted, **DEEP)
    again = RewardModel.from_pretrained(tmp_path).eval()
    torch.testing.assert_close(again(groups()), wanted, **DEEP)


@pytest.mark.parametrize("pad", [None, END])
@pytest.mark.parametrize("with_tokenizer", [False, True])
def test_pitfall_1_a_pad_that_ends_texts_is_not_written(pad, with_tokenizer, tmp_path):
    config = CONFIGS["gpt2"]()
    config.pad_token_id = pad
    model = RewardModel(AutoModel.from_config(config)).eval()
    before = copy.deepcopy(model.state_dict())
    words = tokenizer(pad_token=None if pad is None else "w1") if with_tokenizer else None
    model.save_pretrained(tmp_path, tokenizer=words)
    scores = scored_by_transformers(tmp_path, groups())
    torch.testing.assert_close(scores, alone(model, groups()), **DEEP)
    assert json.loads((tmp_path / "config.json").read_text())["pad_token_id"] == VOCABULARY
    if with_tokenizer:
        assert AutoTokenizer.from_pretrained(tmp_path).pad_token_id == VOCABULARY
    assert before.keys() == model.state_dict().keys()
    assert all(torch.equal(before[name], weight) for name, weight in model.state_dict().items())


def test_a_pad_with_a_row_to_spare_makes_no_new_row(tmp_path):
    model = reward_model("llama")
    words = tokenizer(pad_token="w0")
    model.save_pretrained(tmp_path, tokenizer=words)
    config = json.loads((tmp_path / "config.json").read_text())
    assert (config["pad_token_id"], config["vocab_size"]) == (0, VOCABULARY)


@pytest.mark.parametrize(
    ("family", "pooling"), [("gpt2", "mean"), ("llama", "attention"), ("bert", "last")]
)
def test_what_no_classifier_says_is_written_with_its_head(family, pooling, tmp_path):
    model = reward_model(family, pooling=pooling)
    model.save_pretrained(tmp_path)
    note = json.loads((tmp_path / "reward_head.json").read_text())
    assert note["pooling"] == pooling
    assert "RewardModel.from_pretrained" in note["meaning"]
    again = RewardModel.from_pretrained(tmp_path).eval()
    torch.testing.assert_close(again(groups()), model(groups()), **DEEP)


def test_pitfall_23_the_head_of_an_adapted_model_is_written(tmp_path):
    model = reward_model("llama")
    model.backbone = get_peft_model(model.backbone, LoraConfig(target_modules=["q_proj"]))
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "lora_B" in name:
                weight.normal_()
    wanted = model(groups())
    model.save_pretrained(tmp_path)
    torch.testing.assert_close(scored_by_transformers(tmp_path, groups()), wanted, **DEEP)
    torch.testing.assert_close(model(groups()), wanted, **DEEP)


def test_a_backbone_without_a_head_gets_a_new_one(tmp_path):
    model = reward_model("gpt2")
    model.backbone.save_pretrained(tmp_path)
    again = RewardModel.from_pretrained(tmp_path, pooling="mean")
    assert again.pooling == "mean"
    width = model.head.in_features
    assert again.head.weight.std().item() == pytest.approx((width + 1) ** -0.5, rel=0.4)


def test_a_classifier_that_reads_the_first_token_is_refused(tmp_path):
    config = CONFIGS["bert"]()
    config.num_labels = 1
    BertForSequenceClassification(config).save_pretrained(tmp_path)
    with pytest.raises(UserError, match="WS990"):
        RewardModel.from_pretrained(tmp_path)
