"""Records cross a pipe as plain data: they come back equal, and nothing else is believed."""

import dataclasses
import inspect
import math
import pickle
import pkgutil
from collections import namedtuple
from enum import IntEnum, StrEnum
from importlib import import_module

import numpy as np
import pytest
import torch

import wellshaped.records
from wellshaped.execute.forked.wire import Frames, NotPlain, decoded, frame_of, to_json, unpacked
from wellshaped.execute.program import NoProgram
from wellshaped.observe.result import RunResult, Setting
from wellshaped.records.evidence import Evidence, Trial
from wellshaped.records.phrase import Phrase, UserError
from wellshaped.records.repair import Repair
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage, Place, Span

KEY = b"k" * 16
PLACE = Place("train.py", 3, "step")


class Kind(StrEnum):
    MEAN = "mean"


class Size(IntEnum):
    TWO = 2


@dataclasses.dataclass
class Theirs:
    """A dataclass, and none of ours."""

    x: int = 1


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 0, -(2**70), 1.5, "", "a\n\ud800 ü", b"\x00\xff", 2 - 1j, ...),
        *((), (1,), [1, (2, [3])], {1, 2}, frozenset({"a"}), {1: "a", "1": 2, (1, 2): {}}),
        *(math.inf, -math.inf, slice(1, None), range(3), torch.Size([2, 3])),
        *(torch.float32, torch.device("cuda:1"), torch.channels_last, torch.strided),
        TensorFact((2, 3), torch.int64),
        RunResult(
            Setting(4, sources={"a.py": "x = 1\n"}), "raised", axes=frozenset({3}), place=PLACE
        ),
        Passage(PLACE, Span(1, 2, 3, 4), "x", ((1, "x = 1"),)),
        Phrase("late", {"size": Phrase("other")}),
        ["@", 0],
        {"r": ["r", 0]},
    ],
    ids=repr,
)
def test_a_value_comes_back_equal_and_of_its_kind(value):
    found = decoded(to_json(value))
    assert found == value
    assert type(found) is type(value)


def test_what_is_not_a_number_comes_back():
    assert math.isnan(decoded(to_json(math.nan)))


def test_a_record_that_is_met_twice_is_sent_once_and_stays_one():
    repair = Repair("add", {"role": "x" * 1000})
    sent = to_json([Evidence(repair, (Trial(2, "equal"),)), Evidence(repair, ())])
    first, second = decoded(sent)
    assert first.repair is second.repair == repair
    assert len(sent) < 2000


def test_an_error_of_ours_comes_back_with_its_class():
    for kind in (UserError, NoProgram):
        found = decoded(to_json(kind("WS930", "no_such_file", file="train.py")))
        assert (type(found), found.code, str(found)) == (kind, "WS930", str(found))
        assert found.message == Phrase("no_such_file", {"file": "train.py"})


def test_kinds_of_the_program_are_sent_as_what_they_hold():
    point = namedtuple("point", "x y")
    found = decoded(to_json([Kind.MEAN, Size.TWO, point(1, 2), np.int64(3), np.float32(0.5)]))
    assert found == ["mean", 2, (1, 2), 3, 0.5]
    assert [type(each) for each in found] == [str, int, tuple, int, float]


@pytest.mark.parametrize("value", [object(), Theirs(), int, torch.zeros(2), len, {1: [object()]}])
def test_anything_else_cannot_be_sent(value):
    with pytest.raises(NotPlain):
        to_json(value)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'[[],{"a":1}]',
        b'[[],["x",1]]',
        b'[[],["@",0]]',
        b'[[["os:system",["command"]]],["r",0,"true"]]',
        b'[[["wellshaped.records.source:Place",["file"]]],["r",0,"a"]]',
        b'[[["wellshaped.execute.forked.wire:_Writer",[]]],["r",0]]',
        b'[[["wellshaped.not_there:Place",["file"]]],["r",0,"a"]]',
        b'[[["wellshaped.records.source:Place",["file","line","function"]]],["r",0,"a"]]',
        b'[[],["told","os:system",1,2]]',
        b'[[],["dtype","save"]]',
        b"[[]," + b'["l",' * 100_000 + b"1" + b"]" * 100_001,
    ],
    ids=range(13),
)
def test_bytes_that_are_no_record_are_refused(data):
    with pytest.raises(NotPlain):
        decoded(data)


def test_a_frame_is_read_however_it_is_cut():
    data = frame_of((1, "a"), key=KEY, kind=b"+") + frame_of([2], key=KEY)
    frames = Frames(KEY)
    found = [each for at in range(len(data)) for each in frames.take(data[at : at + 1])]
    assert found == [(b"+", (1, "a")), (b"=", [2])]
    assert not frames.garbled
    assert not frames.cut


@pytest.mark.parametrize(
    "noise",
    [
        b"a line of a log that went astray, longer than the head of any frame is\n",
        pickle.dumps(print) * 9,
        frame_of("all is well", key=b"another key"),
        frame_of("all is well", key=KEY).replace(b"well", b"ill!"),
    ],
)
def test_what_something_else_wrote_is_recognised(noise):
    frames = Frames(KEY)
    assert list(frames.take(noise)) == []
    assert frames.garbled
    assert list(frames.take(frame_of(1, key=KEY))) == []
    with pytest.raises(NotPlain):
        unpacked(noise, key=KEY)


def test_half_a_frame_is_seen_to_be_one():
    frames = Frames(KEY)
    assert list(frames.take(frame_of("x" * 99, key=KEY)[:-1])) == []
    assert frames.cut


def test_every_record_can_travel():
    """A record with a field of a kind that cannot be sent would lose a run."""
    for info in pkgutil.iter_modules(wellshaped.records.__path__):
        module = import_module(f"wellshaped.records.{info.name}")
        for kind in vars(module).values():
            if inspect.isclass(kind) and dataclasses.is_dataclass(kind):
                made = object.__new__(kind)
                for each in dataclasses.fields(kind):
                    object.__setattr__(made, each.name, each.name)
                found = decoded(to_json(made))
                assert [getattr(found, each.name) for each in dataclasses.fields(kind)] == [
                    each.name for each in dataclasses.fields(kind)
                ]
