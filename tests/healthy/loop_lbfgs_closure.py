import torch
import torch.nn as nn
import torch.optim as optim

# Whole-set training of a small curve fit with L-BFGS.
torch.manual_seed(42)
t = torch.linspace(-2, 2, 40).unsqueeze(1)
y = 0.5 * t**3 - t + 0.05 * torch.randn(40, 1)
powers = t ** torch.arange(1, 5)  # (40, 1) to the (4,): one column a power

model = nn.Linear(4, 1)
criterion = nn.MSELoss()
optimizer = optim.LBFGS(model.parameters(), lr=0.5, max_iter=8, line_search_fn="strong_wolfe")


def closure():
    optimizer.zero_grad()
    out = model(powers)
    penalty = sum(p.abs().sum() for p in model.parameters())
    loss = criterion(out, y) + 1e-4 * penalty
    loss.backward()
    return loss


for step in range(4):
    loss = optimizer.step(closure)
    print(f"step {step} loss {loss.item():.5f}")
with torch.no_grad():
    residual = y - model(powers)
    leverage = (powers @ torch.linalg.pinv(powers)).diagonal()
    print(f"largest residual {residual.abs().max():.3f}, mean leverage {leverage.mean():.3f}")
