import torch.nn.functional as F
from torch import nn


def train_epoch(model, data, opt, batch_size):
    total, count = 0.0, 0
    for ctx, focus, question in data.batches(batch_size):
        logp = model(ctx, focus, question)
        loss = F.nll_loss(logp.transpose(1, 2), question[:, 1:])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        total, count = total + loss.item(), count + 1
    return total / count
