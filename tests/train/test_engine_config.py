"""What is taken of a configuration of DeepSpeed, and what is refused by its name."""

import pytest

from wellshaped.records.phrase import UserError
from wellshaped.train.distributed import engine_config

# What accelerate makes of nothing but a stage.
UNSAID = {
    "train_batch_size": "auto",
    "train_micro_batch_size_per_gpu": "auto",
    "gradient_accumulation_steps": 1,
    "gradient_clipping": 1.0,
    "fp16": {"enabled": False},
    "steps_per_print": float("inf"),
}
NOWHERE = {"device": "none", "nvme_path": None}
OFFLOADED = {"offload_optimizer": NOWHERE, "offload_param": NOWHERE}


@pytest.fixture
def given(monkeypatch):
    def give(zero=(), **more):
        told = {**UNSAID, "zero_optimization": {**OFFLOADED, **dict(zero)}, **more}
        monkeypatch.setattr(engine_config, "_given", lambda: told)

    return give


def test_the_sharing_is_taken_without_what_nobody_chose(given):
    given({"stage": 3, "overlap_comm": False, "reduce_bucket_size": "auto"})
    assert engine_config.sharing() == {"stage": 3, "overlap_comm": False}


def test_memory_of_the_processor_is_taken(given):
    aside = {"device": "cpu", "pin_memory": True, "nvme_path": None}
    given({"stage": 2, "offload_optimizer": aside})
    assert engine_config.sharing() == {
        "stage": 2,
        "offload_optimizer": {"device": "cpu", "pin_memory": True},
    }


@pytest.mark.parametrize(
    ("zero", "more", "named"),
    [
        ({}, {"optimizer": {"type": "Adam"}}, "optimizer"),
        ({}, {"scheduler": {"type": "WarmupLR"}}, "scheduler"),
        ({}, {"bf16": {"enabled": True}}, "bf16"),
        ({}, {"gradient_clipping": 0.5}, "gradient_clipping"),
        ({}, {"gradient_accumulation_steps": 4}, "gradient_accumulation_steps"),
        ({}, {"train_micro_batch_size_per_gpu": 8}, "train_micro_batch_size_per_gpu"),
        ({}, {"tensor_parallel": {"autotp_size": 2}}, "tensor_parallel"),
        ({}, {"communication_data_type": "fp16"}, "communication_data_type"),
        ({"zero_quantized_weights": True}, {}, "zero_optimization.zero_quantized_weights"),
        (
            {"offload_param": {"device": "nvme", "nvme_path": "/tmp"}},
            {},
            "zero_optimization.offload_param.device",
        ),
        (
            {"offload_optimizer": {"device": "cpu", "ratio": 0.5}},
            {},
            "zero_optimization.offload_optimizer.ratio",
        ),
    ],
)
def test_what_is_not_taken_is_refused_by_its_name(given, zero, more, named):
    given({"stage": 2, **zero}, **more)
    with pytest.raises(UserError, match=f"WS988.*`{named}`"):
        engine_config.sharing()


def test_a_stage_that_shares_nothing_out_is_refused(given):
    given({"stage": 0})
    with pytest.raises(UserError, match=r"WS988.*stage 0"):
        engine_config.sharing()


def test_clipping_and_precision_are_those_of_the_run(given):
    given({"stage": 1})
    made = engine_config.engine_config(clip=0.25, precision="bf16")
    assert made["gradient_clipping"] == 0.25
    assert made["torch_autocast"]["enabled"]
    assert "bf16" not in made
