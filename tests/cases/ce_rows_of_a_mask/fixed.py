import torch
import torch.nn.functional as F

from gcn import GCN

torch.manual_seed(0)
NODES = 50
features = torch.randn(NODES, 12)
edges = (torch.rand(NODES, NODES) > 0.9).float()
adj = torch.eye(NODES) + edges
adj = adj / adj.sum(1, keepdim=True)
labels = torch.randint(0, 4, (NODES,))
train_mask = torch.zeros(NODES, dtype=torch.bool)
train_mask[:30] = True

model = GCN(12, 16, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)


def train():
    model.train()
    optimizer.zero_grad()
    output = model(features, adj)
    loss_train = F.cross_entropy(output[train_mask], labels[train_mask])
    loss_train.backward()
    optimizer.step()
    return loss_train.item()


def test():
    model.eval()
    pred = model(features, adj).argmax(dim=1)
    return (pred[~train_mask] == labels[~train_mask]).float().mean().item()


for epoch in range(3):
    print("Epoch: {:04d} loss_train: {:.4f}".format(epoch + 1, train()))
print("Test accuracy {:.4f}".format(test()))
