"""The benchmark of buckets counts what it computes, and every way reads the same."""

import pytest
import torch

from benchmarks.buckets import Encoder, Reader, epochs, texts_of, ways
from wellshaped.batch import pad

pytestmark = pytest.mark.slow


def test_packing_computes_what_is_real_and_buckets_little_more():
    texts = texts_of(200)
    real = sum(len(tokens) for tokens, _ in texts)
    steps = {name: way.steps() / real for name, way in ways(texts)["recurrent"].items()}
    assert ways(texts)["transformer"]["bucketed + packed"].steps() == real
    assert (
        1
        < steps["bucketed + MaskedLSTM"]
        < steps["bucketed"]
        < 1.5
        < steps["padded to the batch's longest"]
    )
    assert steps["padded to the batch's longest"] < steps["padded to the longest of all"]


@pytest.mark.parametrize("model", [Reader, Encoder])
def test_packed_and_padded_give_the_same_scores(model):
    texts = pad([tokens for tokens, _ in texts_of(9)])
    both = [model(packed=packed)(texts) for packed in (False, True)]
    torch.testing.assert_close(*both)


def test_each_way_is_timed():
    lines: list[str] = []
    epochs(1, count=20, say=lines.append)
    assert lines[2].endswith("1.0x")
    assert len(lines) == 10
