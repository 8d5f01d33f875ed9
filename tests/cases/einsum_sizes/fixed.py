import torch
import torch.nn as nn


class Bilinear(nn.Module):
    """Does this drug bind to this protein?"""

    def __init__(self, drug_dim=8, protein_dim=12):
        super().__init__()
        self.drug = nn.Embedding(30, drug_dim)
        self.protein = nn.Embedding(20, protein_dim)
        self.weight = nn.Parameter(0.1 * torch.randn(drug_dim, protein_dim))

    def forward(self, d, p):
        return torch.einsum("bd,de,be->b", self.drug(d), self.weight, self.protein(p))


def log_loss(score, bound):
    return -(bound * nn.functional.logsigmoid(score) + (1 - bound) * nn.functional.logsigmoid(-score)).mean()


torch.manual_seed(36)
drugs = torch.randint(0, 30, (64,))
proteins = torch.randint(0, 20, (64,))
bound = ((drugs + proteins) % 2).float()
model = Bilinear()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(4):
    for d, p, b in zip(drugs.split(16), proteins.split(16), bound.split(16)):
        loss = log_loss(model(d, p), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")
