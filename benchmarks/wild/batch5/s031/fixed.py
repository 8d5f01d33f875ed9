import argparse

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset


class Reviews(Dataset):
    def __init__(self, n, vocab, seed):
        g = torch.Generator().manual_seed(seed)
        self.rows = []
        for _ in range(n):
            length = int(torch.randint(4, 30, (1,), generator=g))
            words = torch.randint(1, vocab, (length,), generator=g)
            label = int((words < vocab // 3).sum() * 3 > length)
            self.rows.append((words, label))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(rows):
    words, labels = zip(*rows)
    return pad_sequence(words, batch_first=True), torch.tensor(labels)


class CnnEncoder(nn.Module):
    """Convolutions of several widths, max over time."""

    def __init__(self, dim, filters, widths):
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv1d(dim, filters, w) for w in widths)
        self.output_dim = filters * len(widths)

    def forward(self, tokens, mask):
        tokens = (tokens * mask.unsqueeze(-1)).transpose(1, 2)
        outputs = []
        for conv in self.convs:
            width = conv.kernel_size[0]
            features = torch.tanh(conv(tokens))
            valid = mask[:, width - 1:].unsqueeze(1)
            outputs.append(features.masked_fill(~valid, -1e4).max(dim=2)[0])
        return torch.cat(outputs, dim=1)


class Classifier(nn.Module):
    def __init__(self, vocab, dim=24, filters=12, widths=(2, 3, 4)):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.encoder = CnnEncoder(dim, filters, widths)
        self.out = nn.Linear(self.encoder.output_dim, 2)

    def forward(self, words):
        mask = words != 0
        return self.out(self.encoder(self.emb(words), mask))


def run(args):
    torch.manual_seed(args.seed)
    train = DataLoader(Reviews(240, args.vocab, 1), batch_size=24, shuffle=True, collate_fn=collate)
    test = Reviews(80, args.vocab, 2)
    model = Classifier(args.vocab)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        total = 0.0
        for words, labels in train:
            loss = criterion(model(words), labels)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(labels)
        print(f"epoch {epoch} loss {total / 240:.4f}")
    model.eval()
    with torch.no_grad():
        words, labels = collate([test[i] for i in range(len(test))])
        print(f"test loss {criterion(model(words), labels).item():.4f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--vocab", type=int, default=60)
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--seed", type=int, default=0)
    run(p.parse_args())
