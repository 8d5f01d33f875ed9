from dataclasses import dataclass


@dataclass
class CodecConfig:
    sample_rate: int = 8000
    segment: int = 480
    n_clips: int = 12
    batch_size: int = 4
    d_model: int = 8
    strides: tuple = (2, 3, 4)
    codebook_size: int = 32
    codebook_dim: int = 4
    fft_sizes: tuple = (64, 128)
    lambda_wave: float = 1.0
    lambda_spec: float = 0.5
    lambda_commit: float = 0.25
    lr: float = 1e-3
    epochs: int = 2
    seed: int = 0
