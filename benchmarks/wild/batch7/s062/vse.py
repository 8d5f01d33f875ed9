import torch
from torch import nn
import torch.nn.functional as F


def tower(dim_in, dim):
    return nn.Sequential(nn.Linear(dim_in, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Dropout(0.3), nn.Linear(48, dim))


class VSE(nn.Module):
    def __init__(self, image_dim, text_dim, dim, margin):
        super().__init__()
        self.image, self.text, self.margin = tower(image_dim, dim), tower(text_dim, dim), margin

    def similarities(self, images, texts):
        return F.normalize(self.image(images), dim=1) @ F.normalize(self.text(texts), dim=1).T

    def forward(self, images, texts):
        sims = self.similarities(images, texts)
        pos = sims.diag()
        off = ~torch.eye(len(sims), dtype=torch.bool)
        by_row = (self.margin + sims - pos[:, None]).clamp(min=0)
        by_col = (self.margin + sims - pos[None, :]).clamp(min=0)
        return by_row[off].mean() + by_col[off].mean()
