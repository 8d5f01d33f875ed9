"""What is taken of a configuration of DeepSpeed: how ZeRO shares out, and nothing besides.

Whatever else would change what is learned, or was never tried, is refused by its name.
"""

from __future__ import annotations

import importlib.util
import os
from typing import Any, Final

from wellshaped.records.phrase import UserError

# Options of the command say these; accelerate's own numbers for them are nobody's choice.
_OURS: Final[dict[str, tuple[object, ...]]] = {
    "train_batch_size": (),
    "train_micro_batch_size_per_gpu": (),
    "gradient_accumulation_steps": (1,),
    "gradient_clipping": (1.0,),
}
_HARMLESS: Final = (
    *("steps_per_print", "wall_clock_breakdown"),
    *("zero_allow_untested_optimizer", "zero_force_ds_cpu_optimizer"),
)
_SHARING: Final = (
    *("stage", "allgather_partitions", "allgather_bucket_size", "overlap_comm", "reduce_scatter"),
    *("reduce_bucket_size", "contiguous_gradients", "round_robin_gradients", "sub_group_size"),
    *("stage3_max_live_parameters", "stage3_max_reuse_distance", "stage3_prefetch_bucket_size"),
    *("stage3_param_persistence_threshold", "stage3_gather_16bit_weights_on_model_save"),
)
_OFFLOADING: Final = ("offload_optimizer", "offload_param")
_MIXTURES: Final = "deepspeed_moe_layer_cls_names"


def engine_config(*, clip: float, precision: str) -> dict[str, Any]:
    """The configuration of an engine whose batches and steps are counted by us."""
    return {
        "zero_optimization": sharing(),
        "train_micro_batch_size_per_gpu": 1,
        "gradient_accumulation_steps": 1,
        "gradient_clipping": clip,
        "zero_allow_untested_optimizer": True,
        "zero_force_ds_cpu_optimizer": False,
        "steps_per_print": 2**62,
        # Weights and what processes tell each other stay as they are, as without DeepSpeed.
        "torch_autocast": {
            "enabled": precision == "bf16",
            "dtype": "bfloat16",
            "lower_precision_safe_modules": [],
        },
    }


def sharing() -> dict[str, Any]:
    """How ZeRO is to share out; raises for whatever else DeepSpeed is told."""
    given = _given()
    zero = given.pop("zero_optimization")
    _refuse_others(given, known=_HARMLESS)
    _refuse_others(zero, known=(*_SHARING, *_OFFLOADING), within="zero_optimization.")
    chosen = {name: value for name, value in zero.items() if not _is_unsaid(value)}
    if chosen.setdefault("stage", 1) not in (1, 2, 3):
        raise UserError("WS988", "no_deepspeed_stage", stage=chosen["stage"])
    for name in _OFFLOADING:
        if name in chosen:
            chosen[name] = _offloading(chosen[name], within=f"zero_optimization.{name}.")
    return chosen


def _offloading(given: dict[str, Any], *, within: str) -> dict[str, Any]:
    """To the memory of the processor; not to files, and not a share of it only."""
    if given["device"] != "cpu":
        raise UserError("WS988", "no_deepspeed_setting", name=f"{within}device")
    _refuse_others(given, known=("device", "pin_memory"), within=within)
    return {name: value for name, value in given.items() if not _is_unsaid(value)}


def _given() -> dict[str, Any]:
    """What `accelerate launch` was told, or the file that it was given."""
    if importlib.util.find_spec("deepspeed") is None:
        raise UserError("WS988", "needs_deepspeed")
    from accelerate.utils import DeepSpeedPlugin

    try:
        found = dict(DeepSpeedPlugin().deepspeed_config)
    except (ValueError, OSError) as error:
        raise UserError("WS988", "broken_deepspeed", error=str(error).splitlines()[0]) from error
    found[_MIXTURES] = os.environ.get("ACCELERATE_DEEPSPEED_MOE_LAYER_CLS_NAMES")
    return found


def _refuse_others(given: dict[str, Any], *, known: tuple[str, ...], within: str = "") -> None:
    for name, value in given.items():
        is_said = value is not False and not _is_unsaid(value)
        if is_said and name not in known and value not in _OURS.get(name, ()):
            raise UserError("WS988", "no_deepspeed_setting", name=within + name)


def _is_unsaid(value: object) -> bool:
    """Whether a value chooses nothing: accelerate writes such where nobody did."""
    if isinstance(value, dict):
        main = value.get("enabled", value.get("device"))
        return main is False or (main is not None and _is_unsaid(main)) or not value
    return value in (None, "auto", "none")
