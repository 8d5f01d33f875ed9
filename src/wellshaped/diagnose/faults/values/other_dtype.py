"""A layer got a tensor of another dtype than its weights.

**What happens.** `Linear`, convolutions and recurrent layers multiply their input with
weights, which are float32 unless told otherwise. Products do not convert: both sides must
have one dtype.

**Why.** numpy computes in float64, and `torch.from_numpy` keeps that. Images are uint8 and
counts int64 until someone converts them.

    x = torch.from_numpy(np.random.rand(32, 10))      # float64
    nn.Linear(10, 1)(x)                               # weights are float32

**Repair.** Convert the data, `x.float()`, at best where it is made. `model.double()` runs
too, but doubles memory and time and moves the mismatch on to the loss.

**Not a fault** under `autocast`, which converts by itself, or when both have one dtype.
"""

from dataclasses import replace
from typing import Final

from wellshaped.diagnose.fit.layers import at_birth, born_at, changed, facts_of, layer_of
from wellshaped.diagnose.fit.products import factors
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Repair

CODE, NAME, PRIORITY = "WS504", "other-dtype", 60
SEVERITY: Final = "error"

HEADLINES = {
    "weights": "{name} has {weights} weights and got {dtype}",
    "pair": "{name} got factors of different dtypes, {weights} and {dtype}",
}
WHYS = {
    "weights": "The layer multiplies `{operand}` with its weights, and a product takes one "
    "dtype on both sides. numpy arrays are float64 and whole numbers int64 until converted.",
    "pair": "A product takes one dtype on both sides, and converts neither.",
}
TITLES = {"cast": "convert `{operand}` to {weights}"}

FIRES = (
    "layer = nn.Linear(7, 2)\nx = torch.randn(4, 7).double()\nlayer(x)",
    "net = nn.Sequential(nn.Conv2d(1, 2, 3))\nx = torch.ones(4, 1, 8, 8, dtype=torch.uint8)\n"
    "net(x)",
    "x = torch.randn(4, 3, 7).double()\nnn.LSTM(7, 2)(x)",
    "x = torch.arange(12).reshape(4, 3)\nnn.BatchNorm1d(3)(x)",
    "a, b = torch.randn(4, 3).double(), torch.randn(3, 2)\na @ b",
)
QUIET = (
    "nn.Linear(7, 2)(torch.randn(4, 7))",
    "nn.Linear(8, 2)(torch.randn(4, 7).double())",
)

_WEIGHTS = ("weight", "weight_ih_l0", "weight_ih", "in_proj_weight", "q_proj_weight")
_ROLES = ("input", "input[0]", "query", "key", "value", "hx", "hx[0]", "hx[1]")
_MADE = ("from_numpy", "tensor", "as_tensor", "arange", "randint")
_METHODS = {"float32": ".float()", "float64": ".double()", "float16": ".half()"}
# These convert half precision by themselves.
_LENIENT = ("BatchNorm", "LayerNorm", "GroupNorm", "InstanceNorm", "RMSNorm")


def diagnose(observation: Observation) -> Finding | None:
    """Fires when a tensor is multiplied with weights, or a factor, of another dtype."""
    layer = layer_of(observation)
    if layer is None or layer.family.startswith("Embedding"):
        return _pair(observation)
    named = (layer.settings.get(f"{each}.dtype") for each in _WEIGHTS)
    weights = next((each for each in named if each), None)
    for role in _ROLES:
        found = layer.observation.operand(role)
        dtype = found.fact.dtype if found and found.fact else weights
        half = layer.family in _LENIENT and dtype in ("float16", "bfloat16")
        if found is not None and weights and dtype != weights and not half:
            return _finding(layer.observation, "weights", found, weights)
    return None


def _pair(observation: Observation) -> Finding | None:
    found = factors(observation)
    if found is None:
        return None
    named, left, right = found
    kinds = [each.fact.dtype if each.fact else "" for each in (left, right)]
    if kinds[0] == kinds[1]:
        return None
    keeps_left = kinds[0] == "float32" or kinds[1] != "float32"
    other = right if keeps_left else left
    return _finding(named, "pair", other, kinds[0] if keeps_left else kinds[1])


def _finding(seen: Observation, variant: str, operand: Operand, weights: str) -> Finding:
    dtype = operand.fact.dtype if operand.fact else ""
    facts = facts_of(seen, weights=weights, dtype=dtype, operand=operand.text, role=operand.role)
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        seen,
        variant,
        facts,
        (operand.role,),
        needs=((operand.role, f"(*S) {weights}"),),
        origin=born_at(operand, *_MADE),
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Convert the tensor, not the model: where it is made, so that targets made of it follow."""
    weights, role = finding.facts["weights"], finding.facts["role"]
    code = _METHODS.get(weights, f".to(torch.{weights})")
    fixed = changed(finding.observation, role, code, "cast")
    edits = at_birth(finding.observation.operand(role), code, *_MADE[:3])
    return (replace(fixed, edits=edits),)
