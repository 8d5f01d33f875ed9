from dataclasses import dataclass


@dataclass
class Configs:
    d_model: int = 48
    n_heads: int = 4
    n_layers: int = 2
    d_ff: int = 64
    # share of the features of a head that is rotated
    rope_percentage: float = 0.5
    seq_len: int = 20
    batch_size: int = 6
    learning_rate: float = 2e-3
    grad_norm_clip: float = 1.0
    steps: int = 4
    seed: int = 0
