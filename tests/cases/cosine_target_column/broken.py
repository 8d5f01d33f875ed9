import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(31)

signatures_a = torch.randn(60, 18)
genuine = torch.randint(0, 2, (60, 1))
signatures_b = torch.where(genuine.bool(), signatures_a + 0.1 * torch.randn(60, 18), torch.randn(60, 18))
labels = genuine.float() * 2 - 1


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.tower = nn.Sequential(nn.Linear(18, 32), nn.ReLU(), nn.Linear(32, 8))

    def forward(self, a, b):
        return self.tower(a), self.tower(b)


pairs = TensorDataset(signatures_a, signatures_b, labels)
loader = DataLoader(pairs, batch_size=15)
model = Siamese()
criterion = nn.CosineEmbeddingLoss(margin=0.3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(4):
    for a, b, label in loader:
        emb_a, emb_b = model(a, b)
        loss = criterion(emb_a, emb_b, label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "loss %.4f" % loss.item())
