import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

# Model-agnostic meta-learning on sines: inner steps by functional_call, outer step by Adam.


def task():
    amplitude, phase = torch.rand(1) * 4 + 0.5, torch.rand(1) * 3.14

    def sample(n):
        x = torch.rand(n, 1) * 10 - 5
        return x, amplitude * torch.sin(x + phase)

    return sample


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, x):
        return self.net(x)


def adapt(model, params, x, y, steps=2, lr=0.05):
    for _ in range(steps):
        loss = F.mse_loss(functional_call(model, params, (x,)), y)
        grads = torch.autograd.grad(loss, list(params.values()), create_graph=True)
        params = {name: p - lr * g for (name, p), g in zip(params.items(), grads)}
    return params


torch.manual_seed(36)
model = Regressor()
meta = torch.optim.Adam(model.parameters(), lr=3e-3)
for iteration in range(6):
    outer = 0.0
    for _ in range(3):
        sample = task()
        support, query = sample(5), sample(7)
        fast = adapt(model, dict(model.named_parameters()), *support)
        outer = outer + F.mse_loss(functional_call(model, fast, (query[0],)), query[1])
    meta.zero_grad()
    (outer / 3).backward()
    meta.step()
    print(f"iteration {iteration}: {outer.item() / 3:.3f}")
