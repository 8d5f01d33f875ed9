import torch
from torch import nn


class GuidedHead(nn.Module):
    def __init__(self, channels, strides, test_cfg):
        super().__init__()
        self.strides, self.cfg = strides, test_cfg
        self.score = nn.Conv2d(channels, 1, 1)
        self.delta = nn.Conv2d(channels, 4, 1)

    def forward(self, maps):
        return [self.score(m).squeeze(1) for m in maps], [self.delta(m) for m in maps]

    @torch.no_grad()
    def get_bboxes_single(self, scores, deltas):
        mlvl_proposals = []
        for score, delta, stride in zip(scores, deltas, self.strides):
            prob = score.sigmoid()
            mask = prob > self.cfg["loc_filter_thr"]
            if mask.sum() == 0:
                continue
            y, x = mask.nonzero(as_tuple=True)
            centre = torch.stack([x, y, x, y], dim=1) * stride + stride / 2
            boxes = centre + delta[:, y, x].T * stride
            mlvl_proposals.append(torch.cat([boxes, prob[y, x, None]], dim=1))
        proposals = torch.cat(mlvl_proposals, dim=0)
        return proposals[proposals[:, 4].argsort(descending=True)][:self.cfg["max_num"]]
