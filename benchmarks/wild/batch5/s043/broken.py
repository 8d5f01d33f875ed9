import argparse

import torch
from torch import nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence


class EncoderText(nn.Module):
    def __init__(self, vocab, dim, embed):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, embed // 2, bidirectional=True, batch_first=True)

    def forward(self, words, lengths):
        packed = pack_padded_sequence(self.emb(words), lengths, batch_first=True, enforce_sorted=False)
        rnn_out, _ = self.rnn(packed)
        padded, _ = pad_packed_sequence(rnn_out, batch_first=True)
        last = (lengths - 1).view(-1, 1, 1).expand(-1, 1, padded.size(2))
        out = padded.gather(1, last).squeeze(1)
        return F.normalize(out, dim=-1)


class EncoderImage(nn.Module):
    def __init__(self, dim_in, embed):
        super().__init__()
        self.fc = nn.Linear(dim_in, embed)

    def forward(self, x):
        return F.normalize(self.fc(x), dim=-1)


def captions(n, vocab, image_dim, seed=1):
    """The picture shows the sum of the things that its caption names."""
    g = torch.Generator().manual_seed(seed)
    looks = torch.randn(vocab, image_dim, generator=g)
    rows = []
    for _ in range(n):
        words = torch.randint(1, vocab, (int(torch.randint(3, 10, (1,), generator=g)),), generator=g)
        rows.append((words, looks[words].sum(0) + 0.2 * torch.randn(image_dim, generator=g)))
    return rows


def collate(rows):
    words, images = zip(*rows)
    lengths = torch.tensor([len(w) for w in words])
    return pad_sequence(words, batch_first=True), lengths, torch.stack(images)


def hinge(images, texts, margin):
    sims = images @ texts.T
    pos = sims.diag()
    off = ~torch.eye(len(sims), dtype=torch.bool)
    cost_t = (margin + sims - pos[:, None]).clamp(min=0)
    cost_i = (margin + sims - pos[None, :]).clamp(min=0)
    return cost_t[off].mean() + cost_i[off].mean()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--vocab", type=int, default=40)
    p.add_argument("--embed", type=int, default=32)
    p.add_argument("--epochs", type=int, default=6)
    args = p.parse_args()
    torch.manual_seed(0)
    rows = captions(160, args.vocab, 16)
    text, image = EncoderText(args.vocab, 16, args.embed), EncoderImage(16, args.embed)
    opt = torch.optim.Adam([*text.parameters(), *image.parameters()], lr=5e-3)
    for epoch in range(args.epochs):
        total = 0.0
        for i in range(0, len(rows), 20):
            words, lengths, pics = collate(rows[i:i + 20])
            loss = hinge(image(pics), text(words, lengths), 0.2)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print("epoch", epoch, "loss", round(total / 8, 4))


if __name__ == "__main__":
    main()
