import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHead(nn.Module):
    def __init__(self, d_model=24, n_head=4):
        super().__init__()
        self.n_head = n_head
        self.d_k = d_model // n_head
        self.w_qkv = nn.ModuleList(nn.Linear(d_model, d_model) for _ in range(3))
        self.fc = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, t, _ = x.size()
        q, k, v = [w(x).view(b, t, self.n_head, self.d_k).transpose(1, 2) for w in self.w_qkv]
        attn = F.softmax(q @ k.transpose(2, 3) / self.d_k ** 0.5, dim=-1)
        context = attn @ v
        context = context.flatten(2)
        return self.fc(context)


class PatchClassifier(nn.Module):
    def __init__(self, patch=16, n_classes=3):
        super().__init__()
        self.embed = nn.Linear(patch, 24)
        self.attention = MultiHead()
        self.norm = nn.LayerNorm(24)
        self.head = nn.Linear(24, n_classes)

    def forward(self, patches):
        h = self.embed(patches)
        h = self.norm(h + self.attention(h))
        return self.head(h.mean(dim=1))


def to_patches(images, p=4):
    n, rows, cols = images.shape
    tiles = images.reshape(n, rows // p, p, cols // p, p).transpose(2, 3)
    return tiles.reshape(n, -1, p * p)


torch.manual_seed(66)
pictures = torch.rand(15, 8, 12)
kinds = torch.arange(15) % 3
model = PatchClassifier()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    for x, y in zip(to_patches(pictures).split(5), kinds.split(5)):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f}")
