class Bert(nn.Module):
    def __init__(self, vocab=50, d=16):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.register_buffer("positions", torch.arange(12))
        self.pos = nn.Embedding(12, d)
        layer = nn.TransformerEncoderLayer(d, 2, 32, activation="gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, norm=nn.LayerNorm(d))
        self.decoder = nn.Linear(d, vocab, bias=False)
        self.decoder.weight = self.tok.weight
    def forward(self, ids, mask):
        x = self.tok(ids) + self.pos(self.positions[: ids.size(1)])
        return self.decoder(self.encoder(x, src_key_padding_mask=~mask))
model = Bert()
assert model.decoder.weight is model.tok.weight
print(sum(p.numel() for p in model.parameters() if p.requires_grad))
decay = [p for n, p in model.named_parameters() if p.ndim >= 2]
rest = [p for n, p in model.named_parameters() if p.ndim < 2]
opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=1e-3)
ids = torch.randint(1, 50, (4, 10))
mask = torch.arange(10) < torch.tensor([10, 7, 3, 1])[:, None]
labels = ids.masked_fill(torch.rand(ids.shape) > 0.5, -100)
logits = model(ids, mask)
loss = F.cross_entropy(logits.view(-1, 50), labels.view(-1))
loss.backward(); opt.step()
picked = logits[mask]
seen(logits, loss, picked)
model.eval()
with torch.inference_mode():
    seen(model(ids, mask))
