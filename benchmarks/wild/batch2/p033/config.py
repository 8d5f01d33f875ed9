from dataclasses import dataclass


@dataclass
class PPOConfig:
    n_envs: int = 8
    n_steps: int = 16
    batch_size: int = 32
    n_epochs: int = 2
    iterations: int = 2
    window: int = 10
    n_features: int = 5
    lstm_hidden: int = 12
    features_dim: int = 16
    gamma: float = 0.95
    gae_lambda: float = 0.9
    clip_range: float = 0.2
    vf_coef: float = 0.5
    ent_coef: float = 0.01
    lr: float = 3e-3
    seed: int = 4
