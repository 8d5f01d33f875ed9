class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.source, self.target = nn.Embedding(20, 16), nn.Embedding(24, 16)
        self.transformer = nn.Transformer(16, 4, 1, 2, 32, batch_first=True)
        self.head = nn.Linear(16, 24)
    def forward(self, s, t):
        causal = nn.Transformer.generate_square_subsequent_mask(t.size(1))
        pad = s == 0
        y = self.transformer(self.source(s) * math.sqrt(16), self.target(t), tgt_mask=causal,
                             src_key_padding_mask=pad, memory_key_padding_mask=pad, tgt_is_causal=True)
        return self.head(y)
model = Translator()
opt = torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-9)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min((s + 1) ** -0.5, (s + 1) * 4000 ** -1.5))
for _ in range(1):
    s, t = torch.randint(0, 20, (3, 7)), torch.randint(0, 24, (3, 6))
    logits = model(s, t[:, :-1])
    loss = F.cross_entropy(logits.transpose(1, 2), t[:, 1:])
    opt.zero_grad(); loss.backward(); opt.step(); sched.step()
    seen(logits, loss)
model.eval()
with torch.no_grad():
    tokens = torch.ones(1, 1, dtype=torch.long)
    for _ in range(2):
        nxt = model(s[:1], tokens)[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, nxt], dim=1)
        if nxt.item() == 99:
            break
    seen(tokens)
