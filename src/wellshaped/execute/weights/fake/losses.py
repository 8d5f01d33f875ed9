"""A loss call behind a weight: its contract says whether it runs, and what comes out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from wellshaped.contracts.call import BadCall
from wellshaped.contracts.judge import judge
from wellshaped.execute.weights.fake.graph import OperationResult, tied
from wellshaped.execute.weights.fake.run import Run
from wellshaped.execute.weights.fake.trial import operand_tensors, with_tensors
from wellshaped.records.verdict import Verdict

# Elements up to which torch is asked as well, on zeros: about a millisecond. A call that the
# contract refuses ends before it computes.
_MODEST = 2**20
_REFUSED = 2**26


class AdaptiveOutput(NamedTuple):
    """What `AdaptiveLogSoftmaxWithLoss` returns."""

    output: torch.Tensor
    loss: torch.Tensor


def run_loss(run: Run, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result of a loss of `torch.nn.functional` on tensors of which some have no values."""
    if kwargs.get("distance_function") is not None:
        return function(*args, **kwargs)  # the user's own function decides, on fakes
    outcome = _outcome(run, function, args, kwargs)
    if outcome is None:
        return function(*args, **kwargs)
    return _result(run, outcome, args, kwargs)


def run_adaptive(run: Run, module: Any, forward: Any, *args: Any, **kwargs: Any) -> Any:
    """The result of `AdaptiveLogSoftmaxWithLoss`, whose rows fakes cannot sort into clusters."""
    tensors = [*operand_tensors((args, kwargs)), *module.parameters()]
    if not any(map(run.unknown, tensors)):
        return forward(module, *args, **kwargs)
    verdict = judge(module, *args, **kwargs)
    if not verdict.accepted:
        forward(module, *with_tensors(args, _flat(run)), **with_tensors(kwargs, _flat(run)))
        _refuse(verdict)
    dtype = getattr(torch, verdict.output_dtype or "float32")
    rows = tuple(args[0].shape[:-1]) if args else ()
    output = tied(run, OperationResult(rows, dtype), tensors)
    return AdaptiveOutput(output, tied(run, OperationResult((), dtype), tensors))


def _result(run: Run, outcome: OperationResult, args: Any, kwargs: Any) -> torch.Tensor:
    wanted = [each for each in operand_tensors((args, kwargs)) if each.requires_grad]
    return tied(run, outcome, wanted) if wanted else run.empty(outcome.shape, outcome.dtype)


def _outcome(run: Run, function: Any, args: Any, kwargs: Any) -> OperationResult | None:
    """What the call gives; None where no contract can say. Raises what torch raises."""
    try:
        verdict = judge(function, *args, **kwargs)
    except BadCall:
        return None
    limit = _MODEST if verdict.accepted else _REFUSED
    modest = sum(each.numel() for each in operand_tensors((args, kwargs))) <= limit
    autocast = torch.is_autocast_enabled("cpu")  # changes dtypes, of which contracts know nothing
    if modest and (verdict.outcome != "hazard" or autocast):
        return _tried(run, function, args, kwargs, verdict)
    if autocast:
        return None
    if not verdict.accepted:
        _refuse(verdict)
    refusal = None if verdict.backward == "ok" else RuntimeError("no gradient flows back here")
    dtype = getattr(torch, verdict.output_dtype or "float32")
    return OperationResult(verdict.output_shape or (), dtype, refusal)


def _refuse(verdict: Verdict) -> None:
    blame = verdict.blame
    reason = f"`{blame.argument}` {blame.reason}" if blame else "torch refuses these tensors"
    raise RuntimeError(f"{verdict.loss}: {reason}")


def _tried(run: Run, function: Any, args: Any, kwargs: Any, verdict: Verdict) -> OperationResult:
    """The same call on zeros, and on what real data there is: exceptions are torch's own."""
    real = _flat(run)
    result = function(*with_tensors(args, real), **with_tensors(kwargs, real))
    refusal = None
    if verdict.backward != "ok" and result.requires_grad:
        try:
            torch.autograd.backward(result.sum())
        except RuntimeError as error:
            refusal = error
    return OperationResult(tuple(result.shape), result.dtype, refusal)


def _flat(run: Run) -> Callable[[torch.Tensor], torch.Tensor]:
    """Makes zeros, one element each in memory, of tensors without values; keeps the others."""

    def real(tensor: torch.Tensor) -> torch.Tensor:
        if run.unknown(tensor):
            made = torch.zeros((), dtype=tensor.dtype).expand(tensor.shape)
        else:
            made = tensor.detach()
        return made.requires_grad_(tensor.requires_grad)

    return real
