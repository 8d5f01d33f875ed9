import torch


def mean_iou(pred, target, num_classes):
    ious = []
    for c in range(num_classes):
        p, t = pred == c, target == c
        union = (p | t).sum()
        if union > 0:
            ious.append((p & t).sum() / union)
    return torch.stack(ious).mean().item()
