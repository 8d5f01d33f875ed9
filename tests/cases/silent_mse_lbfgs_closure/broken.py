import functools

import torch
import torch.nn as nn

torch.manual_seed(45)
torch.set_default_dtype(torch.float64)

depth = torch.linspace(0, 1, 60)
measured = 18 - 9 * depth + 2 * torch.sin(5 * depth)


class Profile(nn.Module):
    def __init__(self, units=12):
        super().__init__()
        self.a = nn.Linear(1, units)
        self.b = nn.Linear(units, 1)

    def forward(self, depth):
        return self.b(torch.tanh(self.a(depth[:, None])))


def closure(model, optimizer, loss_fn):
    optimizer.zero_grad()
    loss = loss_fn(model(depth), measured)
    loss.backward()
    return loss


profile = Profile()
lbfgs = torch.optim.LBFGS(profile.parameters(), lr=0.5, max_iter=8)
step = functools.partial(closure, profile, lbfgs, nn.MSELoss())

for iteration in range(5):
    loss = lbfgs.step(step)
    print(f"iteration {iteration} loss {loss.item():.4f}")
surface, bottom = profile(depth).flatten()[[0, -1]].tolist()
print(f"surface {surface:.2f} bottom {bottom:.2f}")
