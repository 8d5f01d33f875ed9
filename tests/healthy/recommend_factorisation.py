"""Matrix factorisation with sampled negatives (BPR) and recall at k over all items."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

USERS, ITEMS, NEGATIVES = 20, 30, 4


class Clicks(Dataset):
    def __init__(self):
        g = torch.Generator().manual_seed(45)
        taste = torch.randn(USERS, 3, generator=g) @ torch.randn(3, ITEMS, generator=g)
        self.liked = taste.topk(4, dim=1).indices

    def __len__(self):
        return self.liked.numel()

    def __getitem__(self, i):
        user, place = divmod(i, 4)
        return user, self.liked[user, place], torch.randint(0, ITEMS, (NEGATIVES,))


class Factors(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.user = nn.Embedding(USERS, dim)
        self.item = nn.Embedding(ITEMS, dim)
        self.bias = nn.Embedding(ITEMS, 1)
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.1)

    def forward(self, user, item):
        """Scores of one item (B,) or of several (B, K) for each user."""
        u = self.user(user)
        if item.dim() == 2:
            u = u.unsqueeze(1)
        return (u * self.item(item)).sum(dim=-1) + self.bias(item).squeeze(-1)

    def everything(self):
        return self.user.weight @ self.item.weight.T + self.bias.weight.squeeze(1)


def recall(model, liked, k=6):
    top = model.everything().topk(k, dim=1).indices
    hit = (top.unsqueeze(2) == liked.unsqueeze(1)).any(dim=1)
    return hit.float().mean().item()


torch.manual_seed(45)
data = Clicks()
model = Factors()
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
for epoch in range(3):
    for user, positive, negative in DataLoader(data, batch_size=14, shuffle=True):
        margin = model(user, positive).unsqueeze(1) - model(user, negative)
        loss = -F.logsigmoid(margin).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} bpr {loss.item():.3f} recall {recall(model, data.liked):.2f}")
