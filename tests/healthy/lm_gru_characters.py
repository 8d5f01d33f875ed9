"""Character language model: next character by GRU, sampling with softmax after training."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

TEXT = "the quick brown fox jumps over the lazy dog and the dog sleeps on. " * 4


class Windows(Dataset):
    def __init__(self, text, span):
        self.chars = sorted(set(text))
        index = {c: i for i, c in enumerate(self.chars)}
        self.data = torch.tensor([index[c] for c in text])
        self.span = span

    def __len__(self):
        return (len(self.data) - 1) // self.span

    def __getitem__(self, i):
        start = i * self.span
        return self.data[start:start + self.span], self.data[start + 1:start + self.span + 1]


class CharModel(nn.Module):
    def __init__(self, n, dim=16, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(n, dim)
        self.rnn = nn.GRU(dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, n)

    def forward(self, x, state=None):
        h, state = self.rnn(self.emb(x), state)
        return self.out(h), state


def sample(model, data, n=20):
    model.eval()
    x, state, text = torch.zeros(1, 1, dtype=torch.long), None, ""
    with torch.no_grad():
        for _ in range(n):
            logits, state = model(x, state)
            prob = torch.softmax(logits[:, -1] / 0.8, dim=-1)
            x = torch.multinomial(prob, 1)
            text += data.chars[x.item()]
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=6)
    parser.add_argument("--span", type=int, default=12)
    args = parser.parse_args()
    torch.manual_seed(5)
    data = Windows(TEXT, args.span)
    loader = DataLoader(data, batch_size=args.batch_size, shuffle=True)
    model = CharModel(len(data.chars))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        nats, count = 0.0, 0
        for x, y in loader:
            logits, _ = model(x)
            loss = criterion(logits.reshape(-1, logits.size(-1)), y.reshape(-1))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            nats, count = nats + loss.item() * y.numel(), count + y.numel()
        print(f"epoch {epoch}: perplexity {torch.tensor(nats / count).exp():.2f}")
    print(repr(sample(model, data)))


if __name__ == "__main__":
    main()
