import torch
import torch.nn as nn

# Neural ODE by Euler steps: irregular observation times, hidden dynamics learned from paths.
torch.manual_seed(48)


class Dynamics(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 2))

    def forward(self, t, state):
        clock = t.expand(state.shape[0], 1)
        return self.net(torch.cat([state, clock], dim=1))


def integrate(f, start, times):
    states, state = [start], start
    for before, after in zip(times[:-1], times[1:]):
        state = state + (after - before) * f(before, state)
        states.append(state)
    return torch.stack(states)  # (T, B, 2)


def spirals(n, times):
    phase, decay = torch.rand(n) * 6.28, torch.exp(-0.3 * times)
    angle = times[:, None] + phase[None, :]
    return torch.stack([decay[:, None] * angle.cos(), decay[:, None] * angle.sin()], dim=-1)


times = torch.cumsum(torch.rand(9) * 0.3 + 0.05, dim=0)
model = Dynamics()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
weight = torch.linspace(1, 2, len(times)).view(-1, 1, 1)
n_paths = 11
for step in range(12):
    truth = spirals(n_paths, times)
    observed = torch.rand(len(times), n_paths, 1) < 0.8
    path = integrate(model, truth[0], times)
    error = weight * observed * (path - truth) ** 2
    loss = error.sum() / observed.sum().clamp(min=1)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 4 == 3:
        print(f"step {step + 1}: {loss.item():.4f}")
