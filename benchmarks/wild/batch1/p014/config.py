from dataclasses import dataclass


@dataclass
class TrainConfig:
    seq_len: int = 60
    half_dim: int = 24
    kernel_size: int = 15
    lora_rank: int = 4
    lora_alpha: int = 8
    n_train: int = 64
    batch_size: int = 16
    epochs: int = 2
    lr: float = 5e-3
    seed: int = 0
