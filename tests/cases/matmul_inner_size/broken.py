"""A two-layer regression written with raw matrices."""
import math

import torch

torch.manual_seed(0)
n, d = 50, 7

X = torch.randn(n, d)
true_w = torch.randn(d, 1)
y = X @ true_w + 0.05 * torch.randn(n, 1)


def init(rows, cols):
    w = torch.randn(rows, cols) / math.sqrt(rows)
    return w.requires_grad_(True)


w1 = init(d, 20)
b1 = torch.zeros(20, requires_grad=True)
w2 = init(16, 1)
b2 = torch.zeros(1, requires_grad=True)
params = [w1, b1, w2, b2]

forward = lambda x: torch.relu(x @ w1 + b1) @ w2 + b2

for epoch in range(40):
    err = forward(X) - y
    loss = (err * err).mean()
    grads = torch.autograd.grad(loss, params)
    with torch.no_grad():
        for p, g in zip(params, grads):
            p.sub_(0.05 * g)
    if epoch % 10 == 0:
        print(f"epoch {epoch:2d} loss {loss.item():.4f}")
