import torch
import torch.nn.functional as F


def detection_loss(scores, deltas, boxes, strides):
    total = 0.0
    for score, delta, stride in zip(scores, deltas, strides):
        b, h, w = score.shape
        centre = (boxes[:, :2] + boxes[:, 2:]) / 2
        cell = (centre / stride).long().clamp(max=w - 1)
        rows = torch.arange(b)
        target = torch.zeros_like(score)
        target[rows, cell[:, 1], cell[:, 0]] = 1
        anchor = (cell.float() * stride + stride / 2).repeat(1, 2)
        wanted = (boxes - anchor) / stride
        total = total + F.binary_cross_entropy_with_logits(score, target)
        total = total + F.smooth_l1_loss(delta[rows, :, cell[:, 1], cell[:, 0]], wanted)
    return total
