import torch
import torch.nn.functional as F


def fit(net, batches, hp):
    opt = torch.optim.Adam(net.parameters(), lr=hp.lr, weight_decay=hp.wd)
    for _ in range(hp.epochs):
        total = 0.0
        for x, y in batches:
            loss = F.mse_loss(net(x[:, 0], x[:, 1]), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        yield total / len(batches)
