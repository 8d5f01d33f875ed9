import torch
import torch.nn as nn

torch.manual_seed(12)

# Small graph classification: nodes with 6 features, neighbours as an adjacency matrix
N_NODES = 10
features = torch.randn(N_NODES, 6)
upper = (torch.rand(N_NODES, N_NODES) > 0.7).float().triu(1)
adjacency = upper + upper.T + torch.eye(N_NODES)
degree = adjacency.sum(1, keepdim=True)
communities = torch.randint(0, 3, (N_NODES,))


class GraphConv(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.lin = nn.Linear(n_in, n_out)

    def forward(self, x):
        return (adjacency @ self.lin(x)) / degree


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.gc1 = GraphConv(6, 12)
        self.gc2 = GraphConv(12, 3)
        self.log_softmax = nn.LogSoftmax(dim=-1)

    def forward(self, x):
        return self.log_softmax(self.gc2(torch.relu(self.gc1(x))))


gcn = GCN()
criterion = nn.NLLLoss()
optimizer = torch.optim.Adam(gcn.parameters(), lr=0.05)

for epoch in range(15):
    optimizer.zero_grad()
    output = gcn(features)
    loss = criterion(output, communities)
    loss.backward()
    optimizer.step()
    if epoch % 5 == 0:
        print(epoch, round(loss.item(), 4))
