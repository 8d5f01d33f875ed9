import torch
import torch.nn.functional as F
from torch import nn

from config import IGNORE_INDEX


class ChatLM(nn.Module):
    def __init__(self, n_tokens, dim, layers):
        super().__init__()
        self.emb = nn.Embedding(n_tokens, dim, padding_idx=0)
        self.rnn = nn.GRU(dim, dim, layers, batch_first=True)
        self.out = nn.Linear(dim, n_tokens)

    def forward(self, ids, mask):
        h, _ = self.rnn(self.emb(ids) * mask.unsqueeze(-1))
        return self.out(h)


def lm_loss(logits, labels):
    target = labels[:, 1:]
    loss = F.cross_entropy(logits[:, :-1].flatten(0, 1), target.flatten(), ignore_index=IGNORE_INDEX)
    return loss, int((target != IGNORE_INDEX).sum())
