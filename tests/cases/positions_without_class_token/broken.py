import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from vit import ViT

torch.manual_seed(3)
data = TensorDataset(torch.rand(24, 3, 32, 32), torch.randint(0, 5, (24,)))
loader = DataLoader(data, batch_size=8)
model = ViT()
opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
for epoch in range(2):
    losses = []
    for img, label in loader:
        loss = F.cross_entropy(model(img), label)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    print(f"epoch {epoch} - loss {sum(losses) / len(losses):.4f}")
