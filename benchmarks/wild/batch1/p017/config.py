from dataclasses import dataclass


@dataclass
class HParams:
    n_reviews: int = 120
    seq_length: int = 15
    split_frac: float = 0.8
    batch_size: int = 16
    vocab_size: int = 50
    embedding_dim: int = 12
    hidden_dim: int = 20
    n_layers: int = 2
    lr: float = 0.01
    clip: float = 5.0
    epochs: int = 2
    seed: int = 0
