"""The model and the tokenizer the project makes itself are ordinary ones of transformers."""

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from wellshaped.train.data import reviews
from wellshaped.train.models.tiny import tiny_config, tiny_tokenizer


@pytest.fixture(scope="module")
def tokenizer():
    return tiny_tokenizer(reviews.texts(200))


@pytest.mark.parametrize("text", ["", "plain", " héllo  wörld\n日本 \x00", "don't  stop ..."])
def test_every_text_survives_the_tokenizer(tokenizer, text):
    for each in (tokenizer, tiny_tokenizer()):
        assert each.decode(each(text)["input_ids"]) == text


def test_words_that_come_up_often_are_one_token(tokenizer):
    text = "review of the old hotel : the soup was warm ."
    assert len(tokenizer(text)["input_ids"]) == len(text.split())
    assert len(tiny_tokenizer()(text)["input_ids"]) == len(text)


def test_the_same_texts_make_the_same_tokenizer(tokenizer):
    assert tiny_tokenizer(reviews.texts(200)).get_vocab() == tokenizer.get_vocab()


def test_end_and_pad_are_two_tokens_and_nothing_is_added_unasked(tokenizer):
    assert tokenizer.eos_token_id != tokenizer.pad_token_id
    assert tokenizer.bos_token_id is None
    assert tokenizer("")["input_ids"] == []


def test_it_is_saved_and_loaded_like_any_other(tokenizer, tmp_path):
    tokenizer.save_pretrained(tmp_path)
    tiny_config(tokenizer).save_pretrained(tmp_path)
    loaded = AutoTokenizer.from_pretrained(tmp_path)
    chat = [{"role": "user", "content": "review"}]
    assert loaded.get_vocab() == tokenizer.get_vocab()
    assert loaded.apply_chat_template(chat, tokenize=False) == "user: review\n"


def test_the_model_reads_what_the_tokenizer_writes(tokenizer):
    model = AutoModelForCausalLM.from_config(tiny_config(tokenizer, layers=1, width=16))
    ids_BT = tokenizer(reviews.texts(2, seed=3)[:1], return_tensors="pt")["input_ids"]  # (1, T)
    logits_BTV = model(ids_BT).logits  # (1, T, V)
    assert logits_BTV.shape == (*ids_BT.shape, len(tokenizer))
    assert torch.isfinite(logits_BTV).all()
