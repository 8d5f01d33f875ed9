import torch
from torch import nn


class CRF(nn.Module):
    def __init__(self, n_tags):
        super().__init__()
        self.start = nn.Parameter(torch.empty(n_tags).uniform_(-0.1, 0.1))
        self.transitions = nn.Parameter(torch.empty(n_tags, n_tags).uniform_(-0.1, 0.1))

    def forward(self, emissions, tags):
        """Mean negative log-likelihood of (B, T, K) emissions."""
        score = self.start[tags[:, 0]] + emissions[:, 0].gather(1, tags[:, :1]).squeeze(1)
        alpha = self.start + emissions[:, 0]
        for t in range(1, tags.size(1)):
            score = score + self.transitions[tags[:, t - 1], tags[:, t]]
            score = score + emissions[:, t].gather(1, tags[:, t:t + 1]).squeeze(1)
            alpha = torch.logsumexp(alpha.unsqueeze(2) + self.transitions, dim=1) + emissions[:, t]
        return (torch.logsumexp(alpha, dim=1) - score).mean()
