import torch
from torch import nn
import torch.nn.functional as F


class ReduceDim(nn.Module):
    """To the common width, and to the unit sphere."""

    def __init__(self, dim_in, dim_out):
        super().__init__()
        self.fc = nn.Linear(dim_in, dim_out)

    def forward(self, x):
        x = self.fc(x)
        return F.normalize(x, dim=-1)


class VideoTextModel(nn.Module):
    def __init__(self, video_dim, text_dim, dim):
        super().__init__()
        self.video = ReduceDim(video_dim, dim)
        self.text = ReduceDim(text_dim, dim)
        self.gate = nn.Linear(dim, 1)

    def forward(self, video, text):
        tokens = self.video(video)
        weights = torch.softmax(self.gate(tokens), dim=1)
        return (weights * tokens).sum(dim=1), self.text(text)
