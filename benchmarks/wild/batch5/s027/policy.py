import torch
from torch import nn


class TinyPolicy(nn.Module):
    def __init__(self, n_tokens, answer_len, dim=32):
        super().__init__()
        self.emb = nn.Embedding(n_tokens, dim)
        self.net = nn.Sequential(nn.Linear(3 * dim, 64), nn.ReLU(), nn.Linear(64, answer_len * n_tokens))
        self.shape = (answer_len, n_tokens)

    def forward(self, prompts):
        h = self.net(self.emb(prompts).flatten(1))
        return h.view(-1, *self.shape)


def sequence_logp(logits, tokens):
    logp = torch.log_softmax(logits, dim=-1)
    return logp.gather(-1, tokens.unsqueeze(-1)).squeeze(-1).sum(dim=1)
