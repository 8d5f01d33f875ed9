import torch
from torch import nn
from torch.utils.data import DataLoader

TAGS = ["python", "sql", "cloud", "design", "sales"]
torch.manual_seed(0)

jobs = []
for k in range(24):
    text = torch.randn(16)
    wanted = [t for t in range(len(TAGS)) if text[t] > 0.3] or [k % len(TAGS)]
    jobs.append({"text": text, "tags": wanted})


def collate(samples):
    texts = torch.stack([s["text"] for s in samples])
    tags = torch.tensor([[float(t in s["tags"]) for t in range(len(TAGS))] for s in samples])
    return texts, tags


loader = DataLoader(jobs, batch_size=6, collate_fn=collate)
model = nn.Linear(16, len(TAGS))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)

for epoch in range(3):
    for texts, tags in loader:
        loss = criterion(model(texts), tags)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, round(loss.item(), 4))
