import torch
import torch.nn as nn


def prior_boxes(cfg):
    boxes = []
    for f, scale in zip(cfg["feature_maps"], cfg["scales"]):
        ys, xs = torch.meshgrid(torch.arange(f), torch.arange(f), indexing="ij")
        cx, cy = (xs + 0.5) / f, (ys + 0.5) / f
        size = torch.full_like(cx, scale)
        boxes.append(torch.stack([cx, cy, size, size], -1).view(-1, 4))
    return torch.cat(boxes)


class SSD(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.num_classes = cfg["num_classes"]
        self.stem = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.ReLU())
        self.extra = nn.Sequential(nn.Conv2d(32, 32, 3, 2, 1), nn.ReLU())
        self.loc = nn.ModuleList(nn.Conv2d(32, 4, 3, padding=1) for _ in range(2))
        self.conf = nn.ModuleList(nn.Conv2d(32, self.num_classes, 3, padding=1) for _ in range(2))
        self.register_buffer("priors", prior_boxes(cfg))

    def forward(self, x):
        first = self.stem(x)
        sources = [first, self.extra(first)]
        loc = [l(s).permute(0, 2, 3, 1).flatten(1) for s, l in zip(sources, self.loc)]
        conf = [c(s).permute(0, 2, 3, 1).flatten(1) for s, c in zip(sources, self.conf)]
        loc = torch.cat(loc, 1).view(x.size(0), -1, 4)
        conf = torch.cat(conf, 1).view(x.size(0), -1, self.num_classes)
        return loc, conf, self.priors


def build_ssd(cfg):
    return SSD(cfg)
