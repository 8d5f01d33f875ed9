"""A network that writes the weights of another one for each row, and FiLM next to it."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

IN, HIDDEN = 3, 8


class Hyper(nn.Module):
    def __init__(self, n_tasks=5):
        super().__init__()
        self.task = nn.Embedding(n_tasks, 6)
        self.first = nn.Linear(6, HIDDEN * IN + HIDDEN)
        self.film = nn.Linear(6, 2 * HIDDEN)
        self.out = nn.Linear(HIDDEN, 1)

    def forward(self, x, task):
        z = self.task(task)
        made = self.first(z)
        weight = made[:, : HIDDEN * IN].view(-1, HIDDEN, IN)
        bias = made[:, HIDDEN * IN :]
        h = torch.bmm(weight, x.unsqueeze(-1)).squeeze(-1) + bias
        gamma, beta = self.film(z).chunk(2, dim=-1)
        h = torch.relu(h * (1 + gamma) + beta)
        return self.out(h).squeeze(-1)


if __name__ == "__main__":
    torch.manual_seed(51)
    x = torch.randn(64, IN)
    task = torch.randint(0, 5, (64,))
    slope = torch.randn(5, IN)
    y = (x * slope[task]).sum(dim=-1)
    loader = DataLoader(TensorDataset(x, task, y), batch_size=15, shuffle=True)
    model = Hyper()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(4):
        for xb, tb, yb in loader:
            loss = nn.functional.mse_loss(model(xb, tb), yb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} mse {loss.item():.4f}")
