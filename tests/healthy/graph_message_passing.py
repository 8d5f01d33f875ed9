import torch
import torch.nn as nn
from torch.utils.data import DataLoader

# Small molecules in one big graph per batch: messages by index_add, graph sums by scatter.


def molecules(n=30):
    g = torch.Generator().manual_seed(32)
    rows = []
    for _ in range(n):
        k = int(torch.randint(2, 7, (1,), generator=g))
        atoms = torch.randint(0, 5, (k,), generator=g)
        source = torch.arange(k - 1)
        edges = torch.stack([torch.cat([source, source + 1]), torch.cat([source + 1, source])])
        weight = torch.tensor([1.0, 12.0, 14.0, 16.0, 19.0])[atoms].sum() / 50
        rows.append((atoms, edges, weight))
    return rows


def collate(rows):
    offset, atoms, edges, owner = 0, [], [], []
    for i, (a, e, _) in enumerate(rows):
        atoms.append(a)
        edges.append(e + offset)
        owner.append(torch.full((len(a),), i))
        offset += len(a)
    target = torch.stack([w for _, _, w in rows])
    return torch.cat(atoms), torch.cat(edges, dim=1), torch.cat(owner), target


class MPNN(nn.Module):
    def __init__(self, dim=16, rounds=2):
        super().__init__()
        self.embed = nn.Embedding(5, dim)
        self.message = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU())
        self.update = nn.GRUCell(dim, dim)
        self.readout = nn.Linear(dim, 1)
        self.rounds = rounds

    def forward(self, atoms, edges, owner, n_graphs):
        h = self.embed(atoms)
        source, target = edges
        for _ in range(self.rounds):
            m = self.message(torch.cat([h[source], h[target]], dim=1))
            gathered = torch.zeros_like(h).index_add(0, target, m)
            h = self.update(gathered, h)
        pooled = h.new_zeros(n_graphs, h.size(1)).scatter_add(0, owner[:, None].expand_as(h), h)
        return self.readout(pooled).squeeze(-1)


def main():
    torch.manual_seed(32)
    model = MPNN()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    loader = DataLoader(molecules(), batch_size=8, shuffle=True, collate_fn=collate)
    for epoch in range(3):
        absolute = 0.0
        for atoms, edges, owner, target in loader:
            predicted = model(atoms, edges, owner, len(target))
            loss = nn.functional.l1_loss(predicted, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            absolute += (predicted.detach() - target).abs().sum().item()
        print(f"epoch {epoch} mae {absolute / 30:.4f}")


main()
