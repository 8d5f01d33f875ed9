import torch
import torch.nn as nn
import torch.nn.functional as F


def point_form(boxes):
    return torch.cat([boxes[:, :2] - boxes[:, 2:] / 2, boxes[:, :2] + boxes[:, 2:] / 2], 1)


def jaccard(a, b):
    lo = torch.max(a[:, None, :2], b[None, :, :2])
    hi = torch.min(a[:, None, 2:], b[None, :, 2:])
    inter = (hi - lo).clamp(min=0).prod(-1)
    area = lambda t: (t[:, 2:] - t[:, :2]).prod(-1)
    return inter / (area(a)[:, None] + area(b)[None] - inter)


def match(threshold, truths, priors, labels):
    overlaps = jaccard(truths, point_form(priors))
    best_prior = overlaps.argmax(1)
    best_overlap, best_truth = overlaps.max(0)
    best_overlap[best_prior] = 2.0
    best_truth[best_prior] = torch.arange(len(truths))
    conf = labels[best_truth].long() + 1
    conf[best_overlap < threshold] = 0
    matched = truths[best_truth]
    center = ((matched[:, :2] + matched[:, 2:]) / 2 - priors[:, :2]) / priors[:, 2:]
    size = torch.log((matched[:, 2:] - matched[:, :2]) / priors[:, 2:])
    return torch.cat([center, size], 1), conf


class MultiBoxLoss(nn.Module):
    def __init__(self, num_classes, overlap_thresh, neg_pos):
        super().__init__()
        self.num_classes = num_classes
        self.threshold = overlap_thresh
        self.negpos_ratio = neg_pos

    def forward(self, predictions, targets):
        loc_data, conf_data, priors = predictions
        num = loc_data.size(0)
        loc_t, conf_t = zip(*[match(self.threshold, t[:, :-1], priors, t[:, -1]) for t in targets])
        loc_t, conf_t = torch.stack(loc_t), torch.stack(conf_t)
        pos = conf_t > 0

        loss_l = F.smooth_l1_loss(loc_data[pos], loc_t[pos], reduction="sum")

        # Compute max conf across batch for hard negative mining
        batch_conf = conf_data.view(-1, self.num_classes)
        loss_c = batch_conf.logsumexp(1, keepdim=True) - batch_conf.gather(1, conf_t.view(-1, 1))
        loss_c[pos] = 0
        loss_c = loss_c.view(num, -1)
        _, loss_idx = loss_c.sort(1, descending=True)
        _, idx_rank = loss_idx.sort(1)
        num_pos = pos.long().sum(1, keepdim=True)
        num_neg = torch.clamp(self.negpos_ratio * num_pos, max=pos.size(1) - 1)
        neg = idx_rank < num_neg.expand_as(idx_rank)

        keep = pos | neg
        loss_c = F.cross_entropy(conf_data[keep], conf_t[keep], reduction="sum")
        N = num_pos.sum().float()
        return loss_l / N, loss_c / N
