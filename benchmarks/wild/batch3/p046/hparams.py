from dataclasses import dataclass


@dataclass
class HParams:
    seed: int = 13
    batch_size: int = 12
    n_train: int = 60
    n_val: int = 30
    n_features: int = 10
    n_classes: int = 4
    hidden: int = 32
    lr: float = 5e-3
    max_epochs: int = 3
