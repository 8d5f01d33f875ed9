import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

N_TYPES = 4


def make_split(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 12, 8, generator=g)
    proto = torch.randn(N_TYPES, 8, generator=torch.Generator().manual_seed(1))
    y = torch.randint(0, 12, (n, 12), generator=g).clamp(max=N_TYPES) % (N_TYPES + 1)
    y = torch.where(y == N_TYPES, torch.zeros_like(y), y)
    return TensorDataset(x + 0.9 * proto[y], y)


class SpanTagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(8, 16, batch_first=True, bidirectional=True)
        self.out = nn.Linear(32, N_TYPES)

    def forward(self, x):
        return self.out(self.rnn(x)[0])


def counts(pred, gold):
    correct = ((pred == gold) & (gold > 0)).sum()
    return torch.stack([correct, (pred > 0).sum(), (gold > 0).sum()]).float()


def f1_score(c):
    precision = c[..., 0] / c[..., 1].clamp(min=1)
    recall = c[..., 0] / c[..., 2].clamp(min=1)
    return 2 * precision * recall / (precision + recall).clamp(min=1e-8)


@torch.no_grad()
def evaluate(model, data, batch_size):
    model.eval()
    seen = []
    for x, y in DataLoader(data, batch_size=batch_size):
        seen.append(counts(model(x).argmax(-1), y))
    seen = torch.stack(seen)
    return f1_score(seen.sum(0)).item()


def main():
    torch.manual_seed(0)
    train, dev = make_split(64, 5), make_split(42, 6)
    model = SpanTagger()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    best = 0.0
    for epoch in range(4):
        model.train()
        for x, y in DataLoader(train, batch_size=16, shuffle=True):
            loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            opt.step()
        score = evaluate(model, dev, 4)
        best = max(best, score)
        print("epoch", epoch, "loss", round(loss.item(), 4), "f1", round(score, 4))
    print("best", round(best, 4), "with other batch sizes",
          [round(evaluate(model, dev, k), 4) for k in (1, 8, 42)])


main()
