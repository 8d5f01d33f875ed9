from torch import nn

from heads import GuidedHead


class Detector(nn.Module):
    def __init__(self, cfg, test_cfg):
        super().__init__()
        w = cfg["width"]
        self.stem = nn.Sequential(nn.Conv2d(3, w, 3, 2, 1), nn.ReLU(), nn.Conv2d(w, 2 * w, 3, 2, 1), nn.ReLU())
        self.down = nn.Sequential(nn.Conv2d(2 * w, 2 * w, 3, 2, 1), nn.ReLU())
        self.head = GuidedHead(2 * w, cfg["strides"], test_cfg)

    def forward(self, images):
        c2 = self.stem(images)
        return self.head([c2, self.down(c2)])

    def proposals(self, scores, deltas, image):
        return self.head.get_bboxes_single([s[image] for s in scores], [d[image] for d in deltas])
