import torch
from torch import nn
import torch.nn.functional as F

VOCAB, BOS = 24, 1


class Attention(nn.Module):
    """Luong attention: query (B, T, D), context (B, S, D)."""

    def __init__(self, dim):
        super().__init__()
        self.linear_in = nn.Linear(dim, dim, bias=False)
        self.linear_out = nn.Linear(2 * dim, dim, bias=False)
        self.softmax = nn.Softmax(dim=-1)

    def forward(self, query, context):
        b, t, d = query.shape
        s = context.size(1)
        scores = torch.bmm(self.linear_in(query), context.transpose(1, 2))
        weights = self.softmax(scores.view(b * t, s)).view(b, t, s)
        mixed = torch.bmm(weights, context)
        return torch.tanh(self.linear_out(torch.cat([mixed, query], dim=-1))), weights


class Seq2Seq(nn.Module):
    def __init__(self, dim=40):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim)
        self.encoder = nn.GRU(dim, dim, batch_first=True)
        self.decoder = nn.GRU(dim, dim, batch_first=True)
        self.attention = Attention(dim)
        self.out = nn.Linear(dim, VOCAB)

    def forward(self, src, tgt_in):
        context, state = self.encoder(self.emb(src))
        hidden, _ = self.decoder(self.emb(tgt_in), state)
        hidden, _ = self.attention(hidden, context)
        return self.out(hidden)


def batches(n, size, length=9, seed=5):
    g = torch.Generator().manual_seed(seed)
    src = torch.randint(2, VOCAB, (n, length), generator=g)
    tgt = src.flip(1)
    for i in range(0, n, size):
        yield src[i:i + size], tgt[i:i + size]


def main():
    torch.manual_seed(0)
    model = Seq2Seq()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for epoch in range(8):
        total, steps = 0.0, 0
        for src, tgt in batches(192, 16):
            tgt_in = torch.cat([torch.full_like(tgt[:, :1], BOS), tgt[:, :-1]], dim=1)
            loss = F.cross_entropy(model(src, tgt_in).transpose(1, 2), tgt)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total, steps = total + loss.item(), steps + 1
        print("epoch", epoch, "loss", round(total / steps, 4))


if __name__ == "__main__":
    main()
