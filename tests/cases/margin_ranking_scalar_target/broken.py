import torch
import torch.nn as nn

torch.manual_seed(2)
N_ENT, N_REL, DIM = 40, 5, 10


class TransE(nn.Module):
    """Knowledge-graph embedding: head + relation should land on tail."""

    def __init__(self):
        super().__init__()
        self.ent = nn.Embedding(N_ENT, DIM)
        self.rel = nn.Embedding(N_REL, DIM)
        nn.init.xavier_uniform_(self.ent.weight)
        nn.init.xavier_uniform_(self.rel.weight)

    def distance(self, triples):
        h, r, t = self.ent(triples[:, 0]), self.rel(triples[:, 1]), self.ent(triples[:, 2])
        return torch.norm(h + r - t, p=1, dim=1)


def corrupt(triples):
    fake = triples.clone()
    fake[:, 2] = torch.randint(0, N_ENT, (len(triples),))
    return fake


facts = torch.stack([
    torch.randint(0, N_ENT, (100,)),
    torch.randint(0, N_REL, (100,)),
    torch.randint(0, N_ENT, (100,)),
], dim=1)

model = TransE()
loss_fn = nn.MarginRankingLoss(margin=1.0)
opt = torch.optim.SGD(model.parameters(), lr=0.05)

for epoch in range(4):
    opt.zero_grad()
    pos = model.distance(facts)
    neg = model.distance(corrupt(facts))
    y = torch.tensor(-1.0)  # the first distance must be the smaller one
    loss = loss_fn(pos, neg, y)
    loss.backward()
    opt.step()
    print(f"{epoch}: {loss.item():.4f}")
