import torch.nn.functional as F


def dice_loss(logits, mask, classes, eps=1e-6):
    probs = logits.softmax(dim=1)
    target = F.one_hot(mask, classes).permute(0, 3, 1, 2).float()
    inter = (probs * target).sum(dim=(2, 3))
    total = probs.sum(dim=(2, 3)) + target.sum(dim=(2, 3))
    return 1 - ((2 * inter + eps) / (total + eps)).mean()
