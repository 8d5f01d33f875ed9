import torch

torch.manual_seed(0)


def sine_task():
    """Regression task of the meta-learning kind: random amplitude and phase."""
    amplitude, phase = torch.rand(2) * 2 + 0.5
    x = torch.rand(50) * 6 - 3
    return x, amplitude * torch.sin(x + phase)


net = torch.nn.Sequential(
    torch.nn.Linear(1, 40),
    torch.nn.Tanh(),
    torch.nn.Linear(40, 40),
    torch.nn.Tanh(),
    torch.nn.Linear(40, 1),
)


def squared_error(prediction, target):
    return ((prediction - target) ** 2).mean()


optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
x, y = sine_task()
for step in range(300):
    prediction = net(x.unsqueeze(1)).squeeze(1)
    loss = squared_error(prediction, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 99:
        print(f"step {step + 1} loss {loss.item():.4f}")
print(f"variance of the targets {y.var().item():.4f}")
