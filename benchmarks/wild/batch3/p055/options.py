import os
from dataclasses import dataclass


@dataclass
class Options:
    seed: int = 17
    crop: int = 20
    channels: int = 16
    blocks: int = 2
    batch_size: int = 5
    epochs: int = 2
    lr: float = 5e-3

    @classmethod
    def from_env(cls):
        opt = cls()
        for name in ("seed", "epochs", "batch_size"):
            value = os.environ.get("ENHANCE_" + name.upper())
            if value is not None:
                setattr(opt, name, int(value))
        return opt
