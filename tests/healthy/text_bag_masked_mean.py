"""Sentiment of padded sentences: masked mean pooling, pad id 0 reserved."""
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

PAD, FIRST_WORD, VOCAB = 0, 1, 50


class Reviews(Dataset):
    def __init__(self, size=50):
        rng = torch.Generator().manual_seed(3)
        self.rows = []
        for _ in range(size):
            length = torch.randint(2, 12, (1,), generator=rng).item()
            words = torch.randint(FIRST_WORD, VOCAB, (length,), generator=rng)
            self.rows.append((words, (words < 25).float().mean().gt(0.5).float()))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        words, label = self.rows[i]
        return {"words": words, "label": label, "id": i}


def collate(rows):
    words = pad_sequence([r["words"] for r in rows], batch_first=True, padding_value=PAD)
    return {
        "words": words,
        "mask": words.ne(PAD),
        "label": torch.stack([r["label"] for r in rows]),
        "id": [r["id"] for r in rows],  # only for error reports
    }


class Classifier(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, dim, padding_idx=PAD)
        self.mix = nn.Linear(dim, dim)
        self.head = nn.Linear(dim, 1)

    def forward(self, words, mask):
        h = torch.tanh(self.mix(self.embedding(words)))
        weight = mask.unsqueeze(-1).to(h.dtype)
        pooled = (h * weight).sum(dim=1) / weight.sum(dim=1).clamp(min=1)
        return self.head(pooled).squeeze(-1)


torch.manual_seed(3)
loader = DataLoader(Reviews(), batch_size=8, shuffle=True, collate_fn=collate)
model = Classifier()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(3):
    tp = fp = fn = 0
    for batch in loader:
        logits = model(batch["words"], batch["mask"])
        loss = criterion(logits, batch["label"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        guess = torch.sigmoid(logits.detach()) > 0.5
        truth = batch["label"] > 0.5
        tp += (guess & truth).sum().item()
        fp += (guess & ~truth).sum().item()
        fn += (~guess & truth).sum().item()
    f1 = 2 * tp / max(1, 2 * tp + fp + fn)
    print("epoch", epoch, "f1", round(f1, 3))
