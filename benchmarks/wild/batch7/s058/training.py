import torch
import torch.nn.functional as F


def train_epoch(model, data, batch, opt):
    total, n = 0.0, 0
    for seq, pos, neg in data.batches(batch):
        pos_logits, neg_logits = model(seq, pos, neg)
        real = pos != 0
        loss = F.binary_cross_entropy_with_logits(pos_logits[real], torch.ones(int(real.sum())))
        loss = loss + F.binary_cross_entropy_with_logits(neg_logits[real], torch.zeros(int(real.sum())))
        opt.zero_grad()
        loss.backward()
        opt.step()
        total, n = total + loss.item(), n + 1
    return total / n
