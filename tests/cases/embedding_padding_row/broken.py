import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
TEXTS = ["red green blue", "green green red", "blue red red", "blue blue green"] * 6
word2id = {}
for t in TEXTS:
    for w in t.split():
        word2id.setdefault(w, len(word2id) + 1)
X = torch.tensor([[word2id[w] for w in t.split()] for t in TEXTS])
y = torch.tensor([int(t.startswith("blue")) for t in TEXTS])


class TextNet(nn.Module):
    def __init__(self, vocab_size, dim=8):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim, padding_idx=0)
        self.rnn = nn.GRU(dim, 12, batch_first=True)
        self.fc = nn.Linear(12, 2)

    def forward(self, ids):
        _, h = self.rnn(self.embedding(ids))
        return self.fc(h[-1])


def accuracy(model):
    with torch.no_grad():
        return (model(X).argmax(1) == y).float().mean().item()


model = TextNet(len(word2id))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    for ids, label in DataLoader(TensorDataset(X, y), batch_size=8):
        optimizer.zero_grad()
        loss = criterion(model(ids), label)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f} acc {accuracy(model):.2f}")
