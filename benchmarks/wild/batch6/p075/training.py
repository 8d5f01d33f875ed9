import torch.nn.functional as F


def train_epoch(model, loader, opt):
    total, n = 0.0, 0
    for inputs, targets in loader:
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            opt.step()
        total, n = total + loss.item(), n + 1
    return total / n
