import torch.nn as nn

import lora


class DNAEncoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.stem = lora.Conv1d(4, cfg.half_dim, cfg.kernel_size, padding=cfg.kernel_size // 2,
                                r=cfg.lora_rank, lora_alpha=cfg.lora_alpha)
        self.pool = nn.Sequential(nn.GELU(), nn.AdaptiveAvgPool1d(1), nn.Flatten())
        self.proj = lora.Linear(cfg.half_dim, cfg.half_dim, r=cfg.lora_rank, lora_alpha=cfg.lora_alpha)
        self.head = nn.Linear(cfg.half_dim, 1)

    def forward(self, x):
        x = self.pool(self.stem(x))
        return self.head(self.proj(x)).squeeze(1)
