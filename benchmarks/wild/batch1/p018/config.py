from dataclasses import dataclass, field


@dataclass
class EncoderConfig:
    hidden_size: int
    num_layers: int
    num_heads: int


@dataclass
class DistillConfig:
    teacher: EncoderConfig = field(default_factory=lambda: EncoderConfig(48, 4, 4))
    student: EncoderConfig = field(default_factory=lambda: EncoderConfig(20, 2, 2))
    vocab_size: int = 60
    seq_len: int = 12
    num_labels: int = 3
    fit_size: int = 64
    temperature: float = 2.0
    hidden_weight: float = 1.0
    batch_size: int = 16
    epochs: int = 2
    lr: float = 2e-3
    seed: int = 0
