import torch
from torch import nn
import torch.nn.functional as F

PAD, VOCAB, MAX_LEN = 0, 40, 48


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x, allowed):
        b, t, d = x.shape
        q, k, v = self.qkv(self.ln1(x)).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
        x = x + self.proj(y.transpose(1, 2).reshape(b, t, d))
        return x + self.mlp(self.ln2(x))


class TinyGPT(nn.Module):
    def __init__(self, dim=32, heads=4, layers=2):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, dim)
        self.pos = nn.Embedding(MAX_LEN, dim)
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(layers))
        self.head = nn.Linear(dim, VOCAB)

    def forward(self, ids, mask):
        t = ids.size(1)
        positions = torch.arange(t).expand_as(ids)
        x = self.tok(ids) + self.pos(positions)
        causal = torch.ones(t, t, dtype=torch.bool).tril()
        allowed = causal & mask[:, None, None, :]
        allowed = allowed | torch.eye(t, dtype=torch.bool)
        for block in self.blocks:
            x = block(x, allowed)
        return self.head(x)


def left_pad(rows):
    width = max(len(r) for r in rows)
    ids = torch.full((len(rows), width), PAD)
    for i, row in enumerate(rows):
        ids[i, width - len(row):] = row
    return ids, ids != PAD


def make_rows(n, seed):
    """Token i depends on the token before it and on its place in the sentence."""
    g = torch.Generator().manual_seed(seed)
    rows = []
    for _ in range(n):
        length = int(torch.randint(4, 24, (1,), generator=g))
        seq = [int(torch.randint(1, VOCAB, (1,), generator=g))]
        while len(seq) < length:
            seq.append((seq[-1] + len(seq) * 3) % (VOCAB - 1) + 1)
        rows.append(torch.tensor(seq))
    return rows


def main():
    torch.manual_seed(0)
    rows = make_rows(160, seed=1)
    model = TinyGPT()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(4):
        total, count = 0.0, 0
        for chunk in torch.randperm(len(rows)).split(16):
            ids, mask = left_pad([rows[i] for i in chunk.tolist()])
            logits = model(ids, mask)
            target = ids[:, 1:].masked_fill(~mask[:, :-1], -100)
            loss = F.cross_entropy(logits[:, :-1].transpose(1, 2), target, ignore_index=-100)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total, count = total + loss.item(), count + 1
        print(f"epoch {epoch} loss {total / count:.4f}")
    model.eval()
    with torch.no_grad():
        test = make_rows(8, seed=2)
        ids, mask = left_pad([r[:-1] for r in test])
        gold = torch.tensor([int(r[-1]) for r in test])
        print(f"last token nll {F.cross_entropy(model(ids, mask)[:, -1], gold).item():.4f}")


if __name__ == "__main__":
    main()
