import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class MultiTask(nn.Module):
    """Kind, age and survival of a patient from one trunk; losses weighed by learned variances."""

    def __init__(self, n_in=9):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, 32), nn.LayerNorm(32), nn.GELU())
        self.heads = nn.ModuleDict({"kind": nn.Linear(32, 3), "age": nn.Linear(32, 1), "alive": nn.Linear(32, 1)})
        self.log_vars = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        h = self.trunk(x)
        out = {name: head(h) for name, head in self.heads.items()}
        out["age"] = out["age"].squeeze(dim=-1)
        out["alive"] = out["alive"].squeeze(dim=-1)
        return out


torch.manual_seed(30)
x = torch.randn(58, 9)
kind = x[:, :3].argmax(dim=1)
age = x[:, 3] * 2 + x[:, 4]
age[::7] = float("nan")  # not everyone tells
alive = (x[:, 5] > 0).float()
loader = DataLoader(TensorDataset(x, kind, age, alive), batch_size=12, shuffle=True)
model = MultiTask()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for x, kind, age, alive in loader:
        out = model(x)
        told = ~torch.isnan(age)
        error = (out["age"] - torch.nan_to_num(age)) ** 2
        parts = torch.stack([
            nn.functional.cross_entropy(out["kind"], kind),
            (error * told).sum() / told.sum().clamp(min=1),
            nn.functional.binary_cross_entropy_with_logits(out["alive"], alive),
        ])
        loss = (parts * torch.exp(-model.log_vars) + model.log_vars).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}", [round(v, 3) for v in parts.tolist()])
