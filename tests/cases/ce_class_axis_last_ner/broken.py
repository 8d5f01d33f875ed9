import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

TAGS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG", "I-ORG"]
PAD = -100


class NerSentences(Dataset):
    def __init__(self, n=40, max_len=15):
        g = torch.Generator().manual_seed(6)
        self.items = []
        for _ in range(n):
            length = int(torch.randint(5, max_len + 1, (1,), generator=g))
            words = torch.zeros(max_len, dtype=torch.long)
            tags = torch.full((max_len,), PAD)
            words[:length] = torch.randint(1, 80, (length,), generator=g)
            tags[:length] = words[:length] % len(TAGS)
            self.items.append({"words": words, "tags": tags})

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


class Emitter(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(80, 16, padding_idx=0)
        self.ctx = nn.Conv1d(16, 16, 3, padding=1)
        self.out = nn.Linear(16, len(TAGS))

    def forward(self, words):
        e = self.emb(words).transpose(1, 2)
        h = torch.relu(self.ctx(e)).transpose(1, 2)
        return {"emissions": self.out(h)}


torch.manual_seed(6)
model = Emitter()
loss_fct = nn.CrossEntropyLoss(ignore_index=PAD)
opt = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(3):
    for batch in DataLoader(NerSentences(), batch_size=10):
        output = model(batch["words"])
        loss = loss_fct(
            output["emissions"],
            batch["tags"],
        )
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, f"{loss.item():.4f}")
