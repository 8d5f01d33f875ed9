"""Sentence classification with convolutions of several widths."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class TextCNN(nn.Module):
    def __init__(self, vocab=150, width=24, kernels=(2, 3, 4), maps=6, classes=5):
        super().__init__()
        self.embedding = nn.Embedding(vocab, width)
        self.convs = nn.ModuleList([nn.Conv1d(width, maps, k) for k in kernels])
        self.fc = nn.Linear(maps * len(kernels), classes)

    def forward(self, sentence):
        embedded = self.embedding(sentence).transpose(1, 2)
        conved = [F.relu(conv(embedded)) for conv in self.convs]
        pooled = [c.max(dim=2).values for c in conved]
        return self.fc(torch.cat(pooled, dim=1))


def load(n=50):
    g = torch.Generator().manual_seed(91)
    sentences = torch.randint(0, 150, (n, 14), generator=g)
    return sentences, sentences[:, 3] % 5


torch.manual_seed(91)
sentences, classes = load()
model = TextCNN()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)

for epoch in range(3):
    epoch_loss = 0.0
    for s, c in zip(sentences.split(10), classes.split(10)):
        loss = F.cross_entropy(model(s), c)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
    print("epoch", epoch, "loss", f"{epoch_loss / 5:.4f}")
