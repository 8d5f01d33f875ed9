"""A sparse mixture of experts with a balance term, and a dense gate for comparison."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Sparse(nn.Module):
    def __init__(self, dim, experts=4, k=2):
        super().__init__()
        self.k = k
        self.gate = nn.Linear(dim, experts)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(dim, 16), nn.ReLU(), nn.Linear(16, dim)) for _ in range(experts)
        )

    def forward(self, x):
        probability = self.gate(x).softmax(dim=-1)
        weight, chosen = probability.topk(self.k, dim=-1)
        weight = weight / weight.sum(dim=-1, keepdim=True)
        out = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            row, slot = torch.where(chosen == e)
            if row.numel():
                out = out.index_add(0, row, expert(x[row]) * weight[row, slot].unsqueeze(-1))
        load = torch.nn.functional.one_hot(chosen, len(self.experts)).float().sum(dim=1).mean(dim=0)
        balance = len(self.experts) * (load * probability.mean(dim=0)).sum()
        return out, balance


class Dense(nn.Module):
    def __init__(self, dim, experts=3):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(experts, dim, dim) * 0.2)
        self.bias = nn.Parameter(torch.zeros(experts, dim))
        self.gate = nn.Linear(dim, experts)

    def forward(self, x):
        each = torch.einsum("bi,eij->bej", x, self.weight) + self.bias
        return (self.gate(x).softmax(-1).unsqueeze(-1) * each).sum(dim=1)


torch.manual_seed(37)
x = torch.randn(52, 6)
y = torch.where(x[:, :1] > 0, x.flip(1), -x).sum(dim=1)
loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)
sparse, dense, head = Sparse(6), Dense(6), nn.Linear(6, 1)
parameters = [p for m in (sparse, dense, head) for p in m.parameters()]
optimizer = torch.optim.Adam(parameters, lr=0.01)
for epoch in range(3):
    for xb, yb in loader:
        mixed, balance = sparse(xb)
        out = head(xb + mixed + dense(xb)).squeeze(-1)
        loss = nn.functional.mse_loss(out, yb) + 0.01 * balance
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.3f} balance {balance.item():.2f}")
