import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

PAD = 0
VOCAB = 120


class PairData(Dataset):
    """Two sentences and whether they share a topic."""

    def __init__(self, n):
        g = torch.Generator().manual_seed(11)
        self.items = []
        for i in range(n):
            topic = int(torch.randint(0, 4, (1,), generator=g))
            same = int(torch.randint(0, 2, (1,), generator=g))
            other = topic if same else (topic + 1) % 4
            sents = []
            for t in (topic, other):
                length = int(torch.randint(3, 25, (1,), generator=g))
                sents.append(torch.randint(1 + 25 * t, 30 + 25 * t, (length,), generator=g))
            self.items.append((sents[0], sents[1], float(same)))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(rows):
    a, b, y = zip(*rows)
    return (pad_sequence(a, batch_first=True, padding_value=PAD),
            pad_sequence(b, batch_first=True, padding_value=PAD), torch.tensor(y))


class SentenceEncoder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim)
        layer = nn.TransformerEncoderLayer(dim, 4, 64, dropout=0.0, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)

    def forward(self, ids):
        mask = ids != PAD
        hidden = self.layers(self.emb(ids), src_key_padding_mask=~mask)
        pooled = (hidden * mask.unsqueeze(-1)).sum(dim=1) / mask.sum(dim=1, keepdim=True)
        return nn.functional.normalize(pooled, dim=-1)


def main():
    torch.manual_seed(0)
    data = PairData(96)
    loader = DataLoader(data, batch_size=16, shuffle=True, collate_fn=collate)
    model = SentenceEncoder()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(3):
        total = 0.0
        for a, b, y in loader:
            sim = (model(a) * model(b)).sum(-1)
            loss = nn.functional.binary_cross_entropy_with_logits(5 * sim - 2, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        print("epoch", epoch, "loss", round(total / len(data), 4))
    model.eval()
    with torch.no_grad():
        one = collate([data[0]])
        many = collate([data[i] for i in range(12)])
        print("alone", round(float((model(one[0]) * model(one[1])).sum(-1)[0]), 4))
        print("in batch", round(float((model(many[0]) * model(many[1])).sum(-1)[0]), 4))


if __name__ == "__main__":
    main()
