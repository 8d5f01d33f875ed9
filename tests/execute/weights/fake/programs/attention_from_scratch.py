class Attention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.h = heads
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.register_buffer("mask", torch.tril(torch.ones(16, 16)).view(1, 1, 16, 16))
    def forward(self, x, pad=None):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, self.h, C // self.h).transpose(1, 2) for t in self.qkv(x).split(C, dim=2))
        att = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
        att = att.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))
        if pad is not None:
            att = att.masked_fill(pad[:, None, None, :], -1e9)
        y = F.softmax(att, dim=-1) @ v
        z = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.proj((y + z).transpose(1, 2).contiguous().view(B, T, C))
class Block(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.ln1, self.ln2, self.att = nn.LayerNorm(d), nn.LayerNorm(d), Attention(d, 4)
        self.mlp = nn.ModuleDict(dict(fc=nn.Linear(d, 4 * d), out=nn.Linear(4 * d, d)))
    def forward(self, x, pad):
        x = x + self.att(self.ln1(x), pad)
        return x + self.mlp["out"](F.gelu(self.mlp["fc"](self.ln2(x))))
emb, blocks, head = nn.Embedding(40, 16), nn.ModuleList(Block() for _ in range(2)), nn.Linear(16, 40)
params = [*emb.parameters(), *blocks.parameters(), *head.parameters()]
opt = torch.optim.AdamW(params, fused=True)
for _ in range(2):
    idx = torch.randint(0, 40, (3, 9))
    x = emb(idx)
    for block in blocks:
        x = block(x, idx == 0)
    logits = head(x)
    loss = F.cross_entropy(logits[:, :-1].flatten(0, 1), idx[:, 1:].flatten())
    opt.zero_grad(); loss.backward()
    torch.nn.utils.clip_grad_norm_(params, 1.0)
    opt.step()
    seen(logits, loss)
probs = torch.softmax(logits[:, -1] / 0.8, -1)
v, _ = torch.topk(probs, 5)
probs[probs < v[:, [-1]]] = 0
seen(torch.multinomial(probs, num_samples=1), torch.einsum("btd,bsd->bts", x, x))
