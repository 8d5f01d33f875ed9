import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def cox_loss(risk, time, event):
    """Negative partial log-likelihood; the risk set of a row is every row that lives as long."""
    at_risk = time.unsqueeze(0) >= time.unsqueeze(1)
    pairwise = risk.unsqueeze(0).expand(len(risk), -1).masked_fill(~at_risk, float("-inf"))
    log_sum = torch.logsumexp(pairwise, dim=1)
    return -((risk - log_sum) * event).sum() / event.sum().clamp(min=1)


def concordance(risk, time, event):
    earlier = (time[:, None] < time[None, :]) & event[:, None].bool()
    ordered = risk[:, None] > risk[None, :]
    return (ordered & earlier).sum().item() / max(1, earlier.sum().item())


def main():
    torch.manual_seed(46)
    x = torch.randn(65, 4)
    hazard = torch.exp(x @ torch.tensor([1.0, -0.5, 0.0, 0.3]))
    time = torch.distributions.Exponential(hazard).sample()
    censor = torch.rand(65) * 3
    event = (time <= censor).float()
    time = torch.minimum(time, censor)
    loader = DataLoader(TensorDataset(x, time, event), batch_size=16, shuffle=True)
    net = nn.Sequential(nn.Linear(4, 12), nn.SELU(), nn.Linear(12, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
    for epoch in range(4):
        for xb, tb, eb in loader:
            loss = cox_loss(net(xb).squeeze(-1), tb, eb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            c = concordance(net(x).squeeze(-1), time, event)
        print(f"epoch {epoch} loss {loss.item():.3f} concordance {c:.3f}")


if __name__ == "__main__":
    main()
