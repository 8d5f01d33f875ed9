"""The reader knows torch's own words: each is provoked, on real and on fake tensors."""

import pytest
import torch

from tests.observe.message.collected import collected
from tests.observe.message.provoked import OF_CUDA, provoked
from wellshaped.observe.message.notation import Pattern, dtype_of
from wellshaped.observe.message.read import read_message
from wellshaped.observe.message.tables import patterns

PROVOKED = provoked()
ASKED = [(each, tensors) for each in PROVOKED for tensors in each.says]


@pytest.fixture(scope="module", autouse=True)
def seed():
    torch.manual_seed(0)


def name(value):
    return value if isinstance(value, str) else value.code.splitlines()[-1]


@pytest.mark.parametrize(("case", "tensors"), ASKED, ids=name)
def test_reads_what_torch_says(case, tensors):
    message = case.message(tensors)
    expected = case.says[tensors]
    if expected is None:
        assert message is None or read_message(message).kind == ""
        return
    assert message is not None, "torch accepts this now"
    told = read_message(message)
    assert (told.kind, told.callee) == (expected.kind, expected.callee), message
    assert told.values == expected.values, message


def test_every_wording_is_torchs():
    messages = {each.message(tensors) or "" for each, tensors in ASKED} | set(OF_CUDA.values())
    messages |= {each.text for each in collected()}
    flat = [" ".join(message.split()) for message in messages]
    alone = [Pattern("", text) for pattern in patterns() for text in pattern.texts]
    unsaid = [each.texts for each in alone if not any(each.read(text) is not None for text in flat)]
    assert unsaid == []


@pytest.mark.parametrize(("kind", "text"), OF_CUDA.items())
def test_reads_what_cuda_says(kind, text):
    assert read_message(text).kind == kind


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        *(("Long", "int64"), ("long int", "int64"), ("torch.int64", "int64")),
        *(("unsigned char", "uint8"), ("Byte", "uint8"), ("Half", "float16")),
        *(("torch.FloatTensor", "float32"), ("torch.cuda.HalfTensor", "float16")),
        *(("CPUBoolType", "bool"), ("c10::BFloat16", "bfloat16"), ("BFloat16", "bfloat16")),
    ],
)
def test_dtypes_have_one_name(name, dtype):
    assert dtype_of(name) == dtype


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello world",
        "CUDA out of memory. Tried to allocate 2.00 GiB",
        "No module named 'torch'",
        "the size of the tensor is wrong",
        "shape '[banana]' is invalid for input of size many",
        "KeyError: 'input'",
    ],
)
def test_other_texts_are_not_known(text):
    assert read_message(text).kind == ""
    assert read_message(text).values == {}
