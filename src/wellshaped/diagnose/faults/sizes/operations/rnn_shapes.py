"""A recurrent layer got an input or a hidden state that does not fit its sizes.

**What happens.** `LSTM`, `GRU` and `RNN` take `(T, B, input_size)`, or `(B, T, input_size)`
with `batch_first=True`. The hidden state is `(layers * directions, B, hidden_size)` in both
cases: `batch_first` does not touch it.

**Why.** A hidden state kept from one batch to the next has the old number of rows when the
last batch is smaller. One built as `(B, layers, H)` follows `batch_first` where it must not.
Rows without a time axis are read as one sequence without a batch.

    state = torch.zeros(batch_size, 1, 16)
    rnn = nn.GRU(8, 16, batch_first=True)
    rnn(x, state)                            # takes (1, B, 16)

**Repair.** Build the state from the batch at hand, `torch.zeros(layers, x.size(0), H)`; drop
the smaller last batch with `drop_last=True` if the state must be carried over.

**Not a fault** when no state is given, and the last axis of the input is `input_size`.
"""

import re
from typing import Final

from wellshaped.diagnose.edits.call_edits import resized_birth, size_text
from wellshaped.diagnose.fit.layers import born_at, built_at, changed, facts_of, rebuilt
from wellshaped.diagnose.fit.recurrent import State, axis_of_features, missing_axis, state_of
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand, Origin
from wellshaped.records.repair import Change, Edit, Repair
from wellshaped.records.shape import shape_text
from wellshaped.records.source import Passage

CODE, NAME, PRIORITY = "WS216", "rnn-shapes", 40
SEVERITY: Final = "error"

HEADLINES = {
    "numbers": "{name} takes 1 feature for each step, and got {input_shape}",
    "rank": "{name} got an input with {rank} axes",
    "time": "{name} got rows without a time axis, and a hidden state for a batch",
    "features": "{name} takes {input_size} features and got {last} on the last axis",
    "elsewhere": "{name} got its {input_size} features on another axis than the last",
    "carried": "{name} got a hidden state for {rows} rows with a batch of {batch}",
    "steps": "{name} got a hidden state for {rows} rows with a batch of {batch}",
    "swapped": "{name} got a hidden state with its first two axes swapped",
    "layers": "{name} got a hidden state for {slices} layers and has {layers}",
    "state": "{name} got a hidden state {state_shape} and takes {wants}",
}
WHYS = {
    "numbers": "`{input}` has one number for each step and no axis that holds it. The layer takes "
    "its rows for steps, and their {last} numbers for the features of a step.",
    "rank": "The layer reads a batch of sequences, three axes, or one sequence, two axes.",
    "time": "Two axes are read as one sequence without a batch, here {first} steps long. The "
    "hidden state has three axes and {rows} rows, so the first axis is the batch and the time "
    "axis is missing.",
    "features": "Each step is multiplied with a weight that has {input_size} columns. The last "
    "axis of `{input}` has size {last}.",
    "elsewhere": "Each step is read from the last axis of `{input}`, which has size {last}. An "
    "axis of size {input_size} stands further left.",
    "carried": "Each row of the batch has its own row in the hidden state. This one was made "
    "for {rows} rows, as when it is kept from a full batch and the last batch is smaller.",
    "steps": "The batch is axis {axis} of `{input}`, of size {batch}. The hidden state was made "
    "for {rows} rows, the size of the time axis.",
    "swapped": "`batch_first` arranges the input and the output. The hidden state has the "
    "layers first in every case.",
    "layers": "The first axis of the hidden state counts the layers, twice if the layer is "
    "bidirectional.",
    "state": "A hidden state has one slice for each layer and direction, in it one row for each "
    "row of the batch, and `hidden_size` numbers in each row.",
}
TITLES = {
    "numbers": "give the numbers of `{operand}` an axis of their own",
    "layers": "make the state for {layers} layers",
    "time": "give `{operand}` its time axis",
    "move": "bring the {input_size} features of `{operand}` to the last axis",
    "rebuild": "build the layer with `{setting}={value}`",
    "fresh": "make the state for the batch at hand, or skip the smaller batch: `drop_last=True`",
    "made": "make the state with the size of axis {axis} of `{input}`: {wants}",
    "swap": "put the layers of `{operand}` first",
}

FIRES = (
    "x = torch.randn(4, 7)\nrnn = nn.LSTM(1, 5, batch_first=True)\nrnn(x)",
    "rnn = nn.GRU(8, 5, batch_first=True)\nx, h = torch.randn(4, 7, 8), torch.zeros(4, 1, 5)\n"
    "rnn(x, h)",
    "rnn = nn.LSTM(8, 5, batch_first=True)\nx = torch.randn(3, 7, 8)\n"
    "state = torch.zeros(1, 4, 5), torch.zeros(1, 4, 5)\nrnn(x, state)",
    "rnn = nn.LSTM(9, 5)\nx = torch.randn(4, 7, 8)\nrnn(x)",
    "x, h = torch.randn(4, 8), torch.zeros(1, 4, 5)\nnn.GRU(8, 5, batch_first=True)(x, h)",
    "x = torch.randn(4, 8, 7)\nnn.GRU(8, 5, batch_first=True)(x)",
    "x, h = torch.randn(4, 7, 8), torch.zeros(1, 4, 5)\nnn.GRU(8, 5, bidirectional=True)(x, h)",
    "x = torch.randn(4, 7, 3, 8)\nnn.GRU(8, 5)(x)",
    "x, h = torch.randn(4, 8), torch.zeros(9, 5)\nnn.GRUCell(8, 5)(x, h)",
)
QUIET = (
    "nn.GRU(8, 5)(torch.randn(4, 7, 8), torch.zeros(1, 7, 5))",
    "nn.GRU(8, 5)(torch.randn(4, 7, 8).double())",
    "nn.LSTMCell(8, 5)(torch.randn(4, 8))",
)

_MAKING = ("zeros", "randn", "new_zeros", "rand", "ones", "new_ones")


def diagnose(observation: Observation) -> Finding | None:
    """Fires when the input or the state has not the shape the sizes of the layer give."""
    found = state_of(observation)
    if found is None or not found.fault:
        return None
    variant, shape = found.fault, found.shape
    facts = facts_of(observation, input_size=found.input_size, rank=len(shape), axis=found.axis)
    facts |= {"last": shape[-1] if shape else 0, "first": shape[0] if shape else 0}
    facts |= {"batch": found.batch, "rows": found.rows, "wants": shape_text(found.wants)}
    facts |= {"state_shape": shape_text(found.state), "layers": found.wants[0]}
    facts |= {"slices": found.state[0] if found.state else 0}
    at_input = variant in ("rank", "time", "features", "elsewhere", "numbers")
    origin = built_at(observation) if variant == "features" else None
    if not at_input:
        made = (born_at(observation.operand(each), *_MAKING) for each in (found.role, "hx"))
        origin = next((each for each in made if each), None)
    needs, blamed = _needs(found, at_input), ("input",) if at_input else (found.role, "hx")
    return Finding(
        CODE, NAME, SEVERITY, observation, variant, facts, blamed, needs, origin=origin
    )  # fmt: skip


def _needs(found: State, at_input: bool) -> tuple[tuple[str, str], ...]:
    names = ("B",) if found.cell else (("B", "T") if found.batch_first else ("T", "B"))
    given = ("input", f"({', '.join(names)}, {found.input_size})")
    return (given,) if at_input else (given, (found.role, shape_text(found.wants)))


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Add the time axis, move the features, or say how the state is made."""
    seen, variant = finding.observation, finding.variant
    found = state_of(seen)
    if found is None:
        return ()
    if variant == "time":
        return (changed(seen, "input", missing_axis(found), "time"),)
    if variant == "numbers":
        return (changed(seen, "input", ".unsqueeze(-1)", "numbers"),)
    if variant == "layers" and (layered := _layered(seen, found)):
        return (Repair("layers", edits=layered),)
    if variant == "elsewhere":
        return (changed(seen, "input", axis_of_features(found), "move"),)
    if variant == "features":
        return rebuilt(seen, "input_size", finding.facts["last"])
    if variant == "swapped":
        code = ".transpose(0, 1).contiguous()"
        both = [each for each in seen.operands if each.role in ("hx", "hx[0]", "hx[1]")]
        known = [each for each in both if each.fact and each.shape == found.state]
        written = all(each.passage for each in known)
        changes = tuple(Change(each.role, code) for each in known) if written else ()
        return (Repair("swap", {"operand": known[0].text}, changes),)
    made = _sized(finding, found) if variant in ("carried", "steps") else ()
    if made:
        return (Repair("made", edits=made),)
    titles = {"carried": "fresh", "steps": "made", "layers": "made", "state": "made"}
    return (Repair(titles[variant]),) if variant in titles else ()


def _layered(seen: Observation, found: State) -> tuple[Edit, ...]:
    """The number of slices where the states are made, as a multiple of what is written there."""
    states = (seen.operand(role) for role in ("hx", "hx[0]", "hx[1]"))
    origins = [birth for each in states if each for birth in each.origins]
    have, times = found.state[0], found.wants[0] // found.state[0]
    if times * have != found.wants[0]:
        return ()
    edits: list[Edit] = []
    for birth in dict.fromkeys(each.passage for each in origins if each.operation in _MAKING):
        made = next(each for each in origins if each.passage == birth)
        text = size_text(made, have)
        plain = re.fullmatch(r"[\w.]+", text)
        text = text if plain else f"({text})"
        edits += resized_birth(made, have, f"{text} * {times}")
    return tuple(edits)


def _sized(finding: Finding, found: State) -> tuple[Edit, ...]:
    """The rows of each state taken from the input, where the states are made beside the call."""
    seen = finding.observation
    given = seen.operand("input")
    if given is None or given.passage is None or not re.fullmatch(r"[\w.]+", given.text):
        return ()
    edits: list[Edit] = []
    for role in ("hx", "hx[0]", "hx[1]"):
        state = seen.operand(role)
        if state is None or state.fact is None:
            continue
        birth = state.origin_by(*_MAKING)
        there = birth is not None and _knows(birth, given, seen.passage)
        edit = resized_birth(birth, found.rows, f"{given.text}.size({found.axis})") if there else ()
        if not edit:
            return ()
        edits += edit
    return tuple(edits)


def _knows(birth: Origin, given: Operand, call: Passage) -> bool:
    """Whether the input is there already where a state is made: in the same function, before."""
    here, made = birth.passage.place, [each.passage.place for each in given.origins]
    same = (here.file, here.function) == (call.place.file, call.place.function)
    return same and not any(
        (each.file, each.function) == (here.file, here.function) and each.line >= here.line
        for each in made
    )
