from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    seed: int = 5
    batch_size: int = 16
    seq_len: int = 12
    embedding: int = 20
    hidden: int = 24
    layers: int = 2
    lr: float = 5e-3
    epochs: int = 2
