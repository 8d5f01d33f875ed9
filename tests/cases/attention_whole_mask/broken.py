import torch
import torch.nn as nn

torch.manual_seed(0)


class GPTBlock(nn.Module):
    def __init__(self, d, heads, block_size):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)
        self.register_buffer("mask", torch.tril(torch.ones(block_size, block_size)).view(1, 1, block_size, block_size))

    def forward(self, x):
        n, t, d = x.shape
        q, k, v = self.qkv(x).split(d, dim=2)
        q = q.view(n, t, self.heads, d // self.heads).transpose(1, 2)
        k = k.view(n, t, self.heads, d // self.heads).transpose(1, 2)
        v = v.view(n, t, self.heads, d // self.heads).transpose(1, 2)
        att = q @ k.transpose(-2, -1) / (d // self.heads) ** 0.5
        att = att.masked_fill(self.mask == 0, float("-inf"))
        y = att.softmax(-1) @ v
        return x + self.proj(y.transpose(1, 2).reshape(n, t, d))


class LM(nn.Module):
    def __init__(self, vocab=30, d=24, block_size=16):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Embedding(block_size, d)
        self.block = GPTBlock(d, 4, block_size)
        self.head = nn.Linear(d, vocab)

    def forward(self, ids):
        t = ids.size(1)
        return self.head(self.block(self.tok(ids) + self.pos(torch.arange(t))))


model = LM()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
text = torch.randint(0, 30, (8, 16))
for step in range(3):
    logits = model(text[:, :-1])
    loss = nn.functional.cross_entropy(logits.reshape(-1, 30), text[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, round(loss.item(), 4))
