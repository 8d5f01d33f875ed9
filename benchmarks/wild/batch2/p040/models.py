import torch
import torch.nn as nn


class Xvector(nn.Module):
    """TDNN with statistics pooling; returns (batch, 1, emb_dim)"""

    def __init__(self, n_mels, channels, emb_dim):
        super().__init__()
        self.tdnn = nn.Sequential(
            nn.Conv1d(n_mels, channels, 5, padding=2), nn.ReLU(),
            nn.Conv1d(channels, channels, 3, padding=2, dilation=2), nn.ReLU())
        self.fc = nn.Linear(2 * channels, emb_dim)

    def forward(self, feats, lens):
        x = self.tdnn(feats.transpose(1, 2))
        mask = (torch.arange(x.size(2))[None] < lens[:, None]).unsqueeze(1)
        n = lens.view(-1, 1).float()
        mean = (x * mask).sum(2) / n
        var = ((x - mean.unsqueeze(2)).pow(2) * mask).sum(2) / n
        return self.fc(torch.cat([mean, (var + 1e-5).sqrt()], dim=1)).unsqueeze(1)
