"""Multiple-instance learning: one bag at a time, attention over the instances of the bag."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Bags(Dataset):
    """A bag is positive when one of its instances is bright."""

    def __init__(self, n=26):
        g = torch.Generator().manual_seed(52)
        self.bags = []
        for i in range(n):
            bag = torch.randn(int(torch.randint(3, 9, (1,), generator=g)), 6, generator=g)
            if i % 2:
                bag[0] += 2.5
            self.bags.append((bag, torch.tensor(float(i % 2))))

    def __len__(self):
        return len(self.bags)

    def __getitem__(self, i):
        return self.bags[i]


class AttentionMIL(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
        self.tanh, self.gate = nn.Linear(16, 8), nn.Linear(16, 8)
        self.score = nn.Linear(8, 1)
        self.classify = nn.Linear(16, 1)

    def forward(self, bag):  # (instances, 6)
        h = self.encode(bag)
        a = self.score(torch.tanh(self.tanh(h)) * torch.sigmoid(self.gate(h)))
        weight = F.softmax(a, dim=0)  # over the instances: they are axis 0 here
        pooled = (weight * h).sum(dim=0)
        return self.classify(pooled).squeeze(-1), weight.squeeze(-1)


def collate(rows):
    return [bag for bag, _ in rows], torch.stack([label for _, label in rows])


torch.manual_seed(52)
model = AttentionMIL()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    right = 0
    for bags, labels in DataLoader(Bags(), batch_size=4, shuffle=True, collate_fn=collate):
        logits = torch.stack([model(bag)[0] for bag in bags])
        loss = F.binary_cross_entropy_with_logits(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        right += ((logits > 0) == labels.bool()).sum().item()
    print(f"epoch {epoch} accuracy {right / 26:.2f}")
