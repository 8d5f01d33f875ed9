"""Node classification on a fixed graph, whole graph at once, with a mask of training nodes."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class GraphConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(i, o))
        self.bias = nn.Parameter(torch.zeros(o))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, adjacency):
        return adjacency @ (x @ self.weight) + self.bias


class GAT(nn.Module):
    """Additive attention: a column and a row of scores broadcast to a score for each pair of nodes."""

    def __init__(self, i, o):
        super().__init__()
        self.lift = nn.Linear(i, o, bias=False)
        self.source, self.target = nn.Linear(o, 1), nn.Linear(o, 1)

    def forward(self, x, edges):
        h = self.lift(x)
        scores = F.leaky_relu(self.source(h) + self.target(h).T, 0.2)
        scores = scores.masked_fill(~edges, float("-inf"))
        return scores.softmax(dim=1) @ h


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gcn = GraphConv(8, 16)
        self.gat = GAT(16, 3)

    def forward(self, x, adjacency, edges):
        return self.gat(F.relu(self.gcn(x, adjacency)), edges)


torch.manual_seed(31)
n = 30
community = torch.arange(n) % 3
same = community[:, None] == community[None, :]
edges = torch.rand(n, n) < torch.where(same, 0.4, 0.05)
edges = edges | edges.T | torch.eye(n, dtype=torch.bool)
degree = edges.sum(dim=1).float()
adjacency = edges / (degree[:, None] * degree[None, :]).sqrt()
x = torch.randn(n, 8)
train = torch.rand(n) < 0.5

model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=5e-4)
for epoch in range(15):
    out = model(x, adjacency, edges)
    loss = F.cross_entropy(out[train], community[train])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
right = (out.argmax(dim=1) == community)[~train].float().mean()
print(f"loss {loss.item():.3f} held out {right:.2f}")
