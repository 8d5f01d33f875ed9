import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

N_TAGS = 6
SENTENCE = 6


class PosTagger(nn.Module):
    def __init__(self, vocab=40, dim=20):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.gru = nn.GRU(dim, dim, batch_first=True, bidirectional=True)
        self.tag = nn.Linear(2 * dim, N_TAGS)

    def forward(self, words):
        h, _ = self.gru(self.emb(words))
        return self.tag(h)


def corpus(n):
    words = torch.randint(0, 40, (n, SENTENCE))
    return words, words % N_TAGS


torch.manual_seed(26)
words, tags = corpus(72)
test_words, test_tags = corpus(30)
loader = DataLoader(TensorDataset(words, tags), batch_size=12, shuffle=True)
model = PosTagger()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(5):
    for w, t in loader:
        scores = model(w)
        loss = criterion(scores, t)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        right = (model(test_words).argmax(dim=-1) == test_tags).float().mean().item()
    print(f"epoch {epoch}: loss {loss.item():.4f} tags right {right:.3f}")
