import torch
import torch.nn as nn

REVIEWS = [
    ("what a lovely film", 1),
    ("dull", 0),
    ("i would watch it again tomorrow", 1),
    ("two hours i will never get back", 0),
    ("great cast great music", 1),
    ("boring and far too long", 0),
]
vocab = {"<pad>": 0}
for text, _ in REVIEWS:
    for word in text.split():
        vocab.setdefault(word, len(vocab))

encoded = [torch.tensor([vocab[w] for w in text.split()]) for text, _ in REVIEWS]
labels = torch.tensor([label for _, label in REVIEWS])


class Sentiment(nn.Module):
    def __init__(self, n_words, dim=10):
        super().__init__()
        self.emb = nn.Embedding(n_words, dim, padding_idx=0)
        self.out = nn.Linear(dim, 2)

    def forward(self, tokens):
        words = (tokens != 0).sum(dim=1, keepdim=True)
        return self.out(self.emb(tokens).sum(dim=1) / words)


torch.manual_seed(0)
model = Sentiment(len(vocab))
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
criterion = nn.CrossEntropyLoss()

for epoch in range(4):
    for lo in range(0, len(encoded), 3):
        batch = torch.stack(encoded[lo:lo + 3])
        loss = criterion(model(batch), labels[lo:lo + 3])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f}")
