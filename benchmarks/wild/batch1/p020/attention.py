import torch.nn as nn


class SelfAttention(nn.Module):
    """Structured self attention over the states of an utterance."""

    def __init__(self, state_size, hops, attn_dim=10):
        super().__init__()
        self.score = nn.Sequential(
            nn.Linear(state_size, attn_dim, bias=False), nn.Tanh(), nn.Linear(attn_dim, hops, bias=False))

    def forward(self, states):
        weights = self.score(states).softmax(dim=1)
        pooled = weights.transpose(1, 2) @ states
        return pooled.squeeze()
