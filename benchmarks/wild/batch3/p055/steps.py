import math

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader


def fit(net, data, opt):
    optim = torch.optim.Adam(net.parameters(), lr=opt.lr)
    for _ in range(opt.epochs):
        net.train()
        total = 0.0
        for x, y in DataLoader(data, batch_size=opt.batch_size, shuffle=True):
            loss = F.l1_loss(net(x), y)
            optim.zero_grad()
            loss.backward()
            optim.step()
            total += loss.item() * len(x)
        yield total / len(data)


@torch.no_grad()
def psnr(net, data):
    net.eval()
    values = []
    for x, y in data:
        mse = F.mse_loss(net(x[None])[0], y).item()
        values.append(-10 * math.log10(mse + 1e-12))
    return sum(values) / len(values)
