import torch
import torch.nn.functional as F


def train_epoch(encoder, decoder, loader, opt):
    total = 0.0
    for src, reply in loader:
        memory, hidden = encoder(src)
        mask = (src == 0)[:, :memory.size(1)]
        token, loss = torch.ones_like(reply[:, :1]), 0.0
        for t in range(reply.size(1)):
            logits, hidden = decoder(token, hidden, memory, mask)
            loss = loss + F.cross_entropy(logits, reply[:, t])
            token = reply[:, t:t + 1]
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() / reply.size(1)
    return total / len(loader)
