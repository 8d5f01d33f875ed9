import torch
import torch.nn.functional as F

torch.manual_seed(0)


class CTRModel(torch.nn.Module):
    """Factorisation machine for click-through prediction."""

    def __init__(self, n_fields=6, cardinality=30, k=4):
        super().__init__()
        self.register_buffer("offsets", torch.arange(n_fields) * cardinality)
        self.bias = torch.nn.Embedding(n_fields * cardinality, 1)
        self.factors = torch.nn.Embedding(n_fields * cardinality, k)

    def forward(self, fields):
        idx = fields + self.offsets
        v = self.factors(idx)
        pairwise = 0.5 * (v.sum(1).pow(2) - v.pow(2).sum(1)).sum(-1)
        linear = self.bias(idx).sum(dim=(1, 2))
        return linear + pairwise


impressions = torch.randint(0, 30, (200, 6))
clicked = (impressions[:, :1] < 10).float()

model = CTRModel()
opt = torch.optim.Adagrad(model.parameters(), lr=0.1)


def train_epoch(batch_size=20):
    total = 0.0
    for i in range(0, 200, batch_size):
        x = impressions[i:i + batch_size]
        y = clicked[i:i + batch_size]
        logit = model(x)
        loss = F.binary_cross_entropy_with_logits(logit, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    return total * batch_size / 200


for epoch in range(3):
    print("epoch", epoch, f"logloss={train_epoch():.4f}")
