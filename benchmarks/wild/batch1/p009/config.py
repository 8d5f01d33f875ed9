from dataclasses import dataclass


@dataclass
class Config:
    n_states: int = 8
    hidden: int = 32
    gamma: float = 0.95
    lr: float = 1e-3
    batch_size: int = 16
    buffer_size: int = 500
    total_steps: int = 600
    learning_starts: int = 100
    learning_freq: int = 4
    target_update_freq: int = 25
    eps_start: float = 1.0
    eps_end: float = 0.1
    double_dqn: bool = True
    seed: int = 1
