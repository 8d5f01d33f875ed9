"""Two processes that train together, and how their weights are sharded."""

import base64
import json
import socket
from multiprocessing.context import ForkServerProcess

# What `accelerate launch` makes of the configuration in docs/scale.md.
SHARDED = {
    "ACCELERATE_USE_FSDP": "true",
    "FSDP_VERSION": "2",
    "FSDP_AUTO_WRAP_POLICY": "TRANSFORMER_BASED_WRAP",
    "FSDP_TRANSFORMER_CLS_TO_WRAP": "GPT2Block",
    "FSDP_STATE_DICT_TYPE": "FULL_STATE_DICT",
    "FSDP_RESHARD_AFTER_FORWARD": "true",
    "FSDP_CPU_RAM_EFFICIENT_LOADING": "false",
}


def zero(**sharing: object) -> dict[str, str]:
    """What `accelerate launch` makes of a file of DeepSpeed with this sharing out."""
    config = json.dumps({"zero_optimization": sharing}).encode()
    return {
        "ACCELERATE_USE_DEEPSPEED": "true",
        "ACCELERATE_DEEPSPEED_CONFIG_FILE": base64.urlsafe_b64encode(config).decode(),
    }


# Small weights would stay whole in every process otherwise.
STAGE_3 = zero(stage=3, stage3_param_persistence_threshold=0)


def pair(**more: str) -> list[dict[str, str]]:
    """What tells two processes of each other, as `accelerate launch` does; for each of them."""
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        port = str(place.getsockname()[1])
    shared = {"WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1"}
    shared |= {"MASTER_PORT": port, "ACCELERATE_USE_CPU": "true", **more}
    return [{"RANK": rank, "LOCAL_RANK": rank, **shared} for rank in ("0", "1")]


def finish(*children: ForkServerProcess) -> None:
    """Wait for processes that were forked, and have them all succeed."""
    for child in children:
        child.join(timeout=240)
        assert child.exitcode == 0
