"""A loss accepted its operands and cannot be differentiated: `backward()` raises.

**What happens.** `huber_loss` takes a float64 target for a float32 input and computes;
`soft_margin_loss` takes a bool target. Their backward passes refuse the same operands.

**Why.** The forward kernel converts, the backward kernel does not. The traceback then points
at `loss.backward()`, far from the call that is at fault.

    target = torch.from_numpy(frame.values)     # float64
    loss = F.huber_loss(model(x), target)       # runs
    loss.backward()                             # raises

**Repair.** Convert the target at the call: `target.float()`.

**Not a fault** where nothing is differentiated, as in evaluation under `torch.no_grad()`.
"""

from typing import Final

from wellshaped.diagnose.fit.loss import names_of, needs_of, verdict_of
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Change, Repair

CODE, NAME, PRIORITY = "WS503", "one-way-dtype", 11
SEVERITY: Final = "error"

HEADLINES = {
    "": "`{label}` took a {dtype} target for a {wanted} input, and cannot go back",
}
WHYS = {
    "": "The loss converts `{operand}` on the way there. Its derivative is computed by another "
    "kernel, which wants `{input}` and `{operand}` in one dtype, so `backward()` raises.",
}
TITLES = {"cast": "convert `{operand}`"}

FIRES = (
    """
pred, target = torch.randn(4, requires_grad=True), torch.randn(4, dtype=torch.float64)
F.huber_loss(pred, target).backward()
""",
)
QUIET = (
    """
pred, target = torch.randn(4, requires_grad=True), torch.randn(4)
F.huber_loss(pred, target).backward()
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires on a failed `backward()` after a call whose derivative refuses its dtypes."""
    verdict = verdict_of(observation)
    if observation.kind != "backward" or verdict is None or verdict.outcome != "accept":
        return None
    first, target = observation.operands[0], observation.operand("target")
    if target is None or target.fact is None or first.fact is None:
        return None
    if target.fact.dtype == first.fact.dtype:
        return None
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        facts={
            **names_of(observation),
            "operand": target.text,
            "dtype": target.fact.dtype,
            "wanted": first.fact.dtype,
        },
        blamed=("target",),
        needs=needs_of(observation),
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The input's dtype for the target."""
    wanted = str(finding.facts["wanted"])
    suffix = {"float32": ".float()", "float64": ".double()"}.get(wanted, f".to(torch.{wanted})")
    return (Repair("cast", {}, (Change("target", suffix),)),)
