"""Sequences are padded and come back; lengths alone say what is real."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import wellshaped
from wellshaped.batch import Padded, Padding, mask_of, pad, pad_fields, unpad_fields
from wellshaped.records.phrase import UserError

TOKENS = st.lists(st.lists(st.integers(-3, 3), min_size=1, max_size=9), max_size=5)
OPTIONS = st.fixed_dictionaries(
    {
        "side": st.sampled_from(["left", "right"]),
        "fill": st.integers(-2, 2),
        "pad_to_multiple_of": st.integers(1, 5),
    }
)


@given(TOKENS, OPTIONS)
@settings(deadline=None)
def test_lists_come_back_whatever_is_filled_in(samples, options):
    padded = pad(samples, dtype=torch.int64, **options)
    assert padded.tolist() == samples
    assert padded.lengths.tolist() == [len(sample) for sample in samples]
    assert padded.mask.sum(-1).tolist() == padded.lengths.tolist()
    assert padded.values.shape[1] % options["pad_to_multiple_of"] == 0
    assert (padded.values[~padded.mask] == options["fill"]).all()


@given(
    st.lists(st.integers(1, 6), min_size=1, max_size=4),
    st.lists(st.integers(0, 3), max_size=2),
    OPTIONS,
)
@settings(deadline=None)
def test_tensors_of_any_trailing_shape_come_back(lengths, trailing, options):
    samples = [torch.randn(length, *trailing) for length in lengths]
    padded = pad(samples, **options)
    assert padded.values.shape[2:] == tuple(trailing)
    assert all(map(torch.equal, padded.unpad(), samples))
    wider = pad([*samples, torch.zeros(9, *trailing)], **options)
    assert all(map(torch.equal, wider.unpad(), samples))


@given(st.lists(TOKENS.filter(len), max_size=4), OPTIONS)
@settings(deadline=None)
def test_nested_lists_come_back(samples, options):
    padded = pad(samples, depth=2, dtype=torch.int64, **options)
    assert padded.tolist() == samples
    assert padded.mask.shape == padded.values.shape
    assert padded.mask.sum(-1).tolist() == padded.lengths.tolist()


def test_three_ragged_axes_come_back():
    samples = [[[[1], [2, 3]], [[4]]], [[[5, 6, 7]]]]
    padded = pad(samples, depth=3)
    assert padded.values.shape == (2, 2, 2, 3)
    assert padded.tolist() == samples


@given(TOKENS.filter(len), st.integers(1, 4), st.sampled_from(["beginning", "end"]))
@settings(deadline=None)
def test_what_is_too_long_keeps_its_beginning_or_its_end(samples, most, keep):
    padded = pad(samples, max_length=most, keep=keep)
    kept = slice(most) if keep == "beginning" else slice(-most, None)
    assert padded.tolist() == [sample[kept] for sample in samples]


def test_the_batch_is_as_wide_as_its_longest_row_or_as_asked():
    samples = [[1, 2, 3], [4]]
    assert pad(samples, max_length=8).values.shape == (2, 3)
    assert pad(samples, max_length=8, width="max_length").values.shape == (2, 8)
    assert pad(samples, max_length=5, width="max_length", pad_to_multiple_of=4).values.shape[1] == 8


def test_zero_is_a_token_like_any_other():
    assert pad([[0, 0], [0]]).mask.tolist() == [[True, True], [True, False]]


def test_one_row_and_no_row_keep_the_batch_axis():
    assert pad([[7]]).values.shape == (1, 1)
    empty = pad([], trailing=(5,), dtype=torch.float16)
    assert (empty.values.shape, empty.values.dtype) == ((0, 0, 5), torch.float16)
    assert (empty.lengths.dtype, empty.mask.shape, empty.unpad()) == (torch.int64, (0, 0), [])
    assert pad([], depth=2).mask.shape == (0, 0, 0)


def test_arrays_and_lists_of_step_tensors_are_sequences():
    assert pad([np.ones((2, 3)), np.zeros((1, 3))]).values.dtype == torch.float64
    assert pad([[torch.ones(2), torch.zeros(2)], [torch.ones(2)]]).values.shape == (2, 2, 2)


def test_python_numbers_take_the_dtype_of_the_batch():
    assert pad([[1, 2], [0.5]]).values.dtype == torch.float32
    assert pad([torch.ones(2), [1]]).values.dtype == torch.float32
    assert pad([[True], [False, True]]).values.dtype == torch.bool


@pytest.mark.parametrize(
    ("samples", "options", "message"),
    [
        ([[1], 2], {}, "WS915: sample 1 is a single number"),
        ([[1], [[2]], [3]], {}, r"WS915: sample 1 has shape \(1, 1\); its batch needs \(T,\)"),
        ([torch.ones(2, 3), torch.ones(2, 4), torch.ones(1, 4)], {}, r"WS915: sample 0 .*\(T, 4\)"),
        ([torch.ones(2, 3)], {"trailing": (4,)}, r"WS915: sample 0 has shape \(2, 3\)"),
        ([[1], [[2], [3, 4]]], {}, "WS915: sample 1 is ragged itself"),
        ([[torch.ones(1), torch.ones(2)]], {}, "WS915: sample 0 is ragged itself"),
        ([[torch.ones(1), 2]], {}, "WS915: sample 0 is ragged itself"),
        ([[1], ["a"]], {}, "WS916: sample 1 holds a `str`"),
        ([[1], [2, None]], {}, "WS916: sample 1 holds a `NoneType`"),
        ([[1], [2**63]], {}, "WS916: sample 1 holds 9223372036854775808"),
        ([torch.ones(1), torch.ones(1).long(), torch.ones(1)], {}, "WS916: sample 1 is int64"),
        ([[1], [2.5]], {"dtype": torch.int64}, "WS916: sample 1 is float32; .* int64"),
        ([torch.ones(1).long(), [2.5]], {}, "WS916: sample 1 is float32; .* int64"),
        ([[1], []], {}, "WS917: sample 1 is empty"),
        ([torch.ones(0, 3)], {}, "WS917: sample 0 is empty"),
        ([[[1]], []], {"depth": 2}, "WS917: sample 1 is empty"),
        ([[[1]], [[2], []]], {"depth": 2}, r"WS917: sample 1\[1\] is empty"),
        ([[[1]], 3], {"depth": 2}, "WS915: sample 1 is a `int`"),
        ([[1]], {"side": "top"}, "WS919: `side` is one of right, left, not `top`"),
        ([[1]], {"keep": "middle"}, "WS919: `keep`"),
        ([[1]], {"max_length": 0}, "WS919: `max_length` is a whole number from 1 on, not 0"),
        ([[1]], {"width": "max_length"}, "WS919: `max_length` .* not None"),
        ([[1]], {"pad_to_multiple_of": True}, "WS919: `pad_to_multiple_of`"),
        ([[1]], {"fill": 0.5}, "WS919: `fill` is 0.5, which int64 cannot hold"),
        ([[1]], {"fill": -100, "dtype": torch.uint8}, "WS919: `fill` is -100"),
    ],
)
def test_a_sample_or_setting_that_does_not_fit_is_named(samples, options, message):
    with pytest.raises(UserError, match=f"^{message}"):
        pad(samples, **options)


def test_fields_are_padded_by_name_and_come_back():
    samples = [
        {"tokens": [1, 2], "more": {"tags": [3]}},
        {"tokens": [4], "more": {"tags": [5, 6]}},
    ]
    padded = pad_fields(samples, fields={"tags": Padding(fill=-100, side="left")})
    assert padded["tokens"].values.tolist() == [[1, 2], [4, 0]]
    assert padded["more"]["tags"].values.tolist() == [[-100, 3], [5, 6]]
    back = unpad_fields(padded)
    assert [row["tokens"].tolist() for row in back] == [[1, 2], [4]]
    assert [row["more"]["tags"].tolist() for row in back] == [[3], [5, 6]]


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ([{"a": [1]}, {"b": [1]}], "WS915: sample 1 has no field `a`"),
        ([{"a": [1]}, [1]], "WS915: sample 1 is a `list`"),
        ([{"a": [1]}, {"a": []}], r"WS917: sample 1\['a'\] is empty"),
        ([{"a": {"b": [1]}}, {"a": {"b": []}}], r"WS917: sample 1\['a'\]\['b'\] is empty"),
    ],
)
def test_a_field_that_does_not_fit_is_named(samples, message):
    with pytest.raises(UserError, match=f"^{message}"):
        pad_fields(samples)


class MeanOfReal(torch.nn.Module):
    def forward(self, padded: Padded) -> torch.Tensor:
        mask = padded.mask.unsqueeze(-1)
        return (padded.values * mask).sum(1) / padded.lengths.unsqueeze(-1)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.slow
def test_a_padded_batch_is_compiled_and_exported_at_any_size(side):
    samples = [torch.randn(length, 3) for length in (4, 2, 5)]
    batch = pad(samples, side=side)
    wanted = torch.stack([sample.mean(0) for sample in samples])
    compiled = torch.compile(MeanOfReal(), backend="eager", fullgraph=True, dynamic=True)
    rows, steps = torch.export.Dim("rows"), torch.export.Dim("steps")
    exported = torch.export.export(
        MeanOfReal(), (batch,), dynamic_shapes=([{0: rows, 1: steps}, {0: rows}],)
    ).module()
    for program in (compiled, exported):
        torch.testing.assert_close(program(batch), wanted)
        for count in (1, 2):
            torch.testing.assert_close(program(pad(samples[:count], side=side)), wanted[:count])


def test_masks_are_made_where_the_lengths_are():
    assert mask_of(torch.tensor([1], device="meta"), 3).device.type == "meta"
    moved = pad([[1, 2]]).to("meta")
    assert (moved.values.device.type, moved.lengths.device.type) == ("meta", "meta")
    assert pad([[1]]).to(torch.float64).lengths.dtype == torch.int64


def test_the_part_is_loaded_when_asked_for():
    assert wellshaped.batch.pad is pad
    assert "batch" in dir(wellshaped)
