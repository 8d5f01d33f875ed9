from dataclasses import dataclass, field


@dataclass
class Project:
    seed: int
    lr: float
    batch_size: int
    frame_size: int
    class_names: list = field(default_factory=list)
    class_weights: list = field(default_factory=list)

    def __post_init__(self):
        if len(self.class_names) != len(self.class_weights):
            raise ValueError("one weight a class")
