import torch
import torch.nn as nn


class AttentionPool(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.score = nn.Linear(dim, 1)

    def forward(self, steps):
        weights = torch.softmax(self.score(steps), dim=1)
        return (weights * steps).sum(dim=1)


class PeakFinder(nn.Module):
    """Height of the highest peak in a trace."""

    def __init__(self, hidden=12):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(1, hidden), nn.Tanh())
        self.pool = AttentionPool(hidden)
        self.height = nn.Linear(hidden, 1)

    def forward(self, trace):
        return self.height(self.pool(self.embed(trace.unsqueeze(-1)))).squeeze(-1)


torch.manual_seed(93)
traces = torch.rand(64, 11)
peaks = traces.max(dim=1).values
model = PeakFinder()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(20):
    for trace, peak in zip(traces.split(16), peaks.split(16)):
        loss = criterion(model(trace), peak)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 6 == 0:
        print(f"epoch {epoch} mse {loss.item():.5f}")
