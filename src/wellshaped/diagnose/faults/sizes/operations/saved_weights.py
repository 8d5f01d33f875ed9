"""Saved weights have other shapes, or other names, than the model they are loaded into.

**What happens.** `load_state_dict` compares names and shapes. A shape differs, a name is missing
or too many, and it refuses; nothing of the model is usable as trained.

**Why.** The model was built with other sizes than the one that was saved: another number of
classes, another vocabulary, another width. Or its layers have other names, as inside
`DataParallel`, where each begins with `module.`.

    saved = nn.Linear(16, 10).state_dict()
    nn.Linear(16, 3).load_state_dict(saved)    # 10 classes there, 3 here

**Repair.** Build the model with the sizes of the saved one. To train a new head on old weights,
leave its entries out and load with `strict=False`; shapes must agree even then.

**Not a fault** when names are left out on purpose, with `strict=False`.
"""

from typing import Final

from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS229", "saved-weights", 95
SEVERITY: Final = "error"

HEADLINES = {"": "the saved `{weight}` has shape {saved}, the model's {own}"}
WHYS = {"": "Weights are copied entry by entry. The saved model was built with other sizes than "
        "this one."}  # fmt: skip
TITLES: dict[str, str] = {}

FIRES = (
    "old, new = nn.Linear(16, 10), nn.Linear(16, 3)\nsaved = old.state_dict()\n"
    "new.load_state_dict(saved)",
)
QUIET = ("nn.Linear(16, 3).load_state_dict(nn.Linear(16, 3).state_dict())",)


def diagnose(observation: Observation) -> Finding | None:
    """Fires on the first weight whose shapes differ."""
    if observation.callee != "load_state_dict" or len(observation.operands) != 2:
        return None
    saved, own = observation.operands
    facts = {"weight": own.role.removeprefix("own "), "saved": shape_text(saved.shape)}
    facts |= {"own": shape_text(own.shape)}
    return Finding(CODE, NAME, SEVERITY, observation, facts=facts, blamed=(saved.role,))


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Whether the model or the weights are the wrong ones is not told by their shapes."""
    return ()
