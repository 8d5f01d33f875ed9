from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class MoEConfig:
    vocab_size: int
    block_size: int = 24
    d_model: int = 32
    n_head: int = 4
    n_layer: int = 2
    d_ff: int = 64
    num_experts: int = 4
    top_k: int = 2
    aux_coef: float = 0.01


class Expert(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.w1 = nn.Linear(cfg.d_model, cfg.d_ff, bias=False)
        self.w2 = nn.Linear(cfg.d_ff, cfg.d_model, bias=False)

    def forward(self, x):
        return self.w2(nn.functional.silu(self.w1(x)))


class SparseMoE(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.num_experts, self.top_k = cfg.num_experts, cfg.top_k
        self.gate = nn.Linear(cfg.d_model, cfg.num_experts, bias=False)
        self.experts = nn.ModuleList(Expert(cfg) for _ in range(cfg.num_experts))

    def forward(self, hidden):
        b, t, d = hidden.shape
        tokens = hidden.reshape(-1, d)
        router_logits = self.gate(tokens)
        probs = router_logits.softmax(-1, dtype=torch.float)
        weights, chosen = probs.topk(self.top_k, dim=-1)
        weights = (weights / weights.sum(-1, keepdim=True)).to(router_logits.dtype)

        out = torch.zeros_like(tokens)
        for e, expert in enumerate(self.experts):
            token_idx, slot = torch.where(chosen == e)
            if token_idx.numel() == 0:
                continue
            expert_in = tokens[token_idx]
            expert_out = expert(expert_in) * weights[token_idx, slot, None]
            out.index_add_(0, token_idx, expert_out.to(out.dtype))

        # load balancing
        share = torch.zeros(self.num_experts).index_add_(0, chosen.flatten(), torch.ones(chosen.numel()))
        aux = self.num_experts * (share / chosen.numel() * probs.mean(0)).sum()
        return out.view(b, t, d), aux
