import random
random.seed(0)
class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.gru, self.out = nn.Embedding(11, 6), nn.GRU(6, 8), nn.Linear(8, 11)
        self.attn = nn.MultiheadAttention(8, 2)
    def forward(self, token, hidden, memory):
        y, hidden = self.gru(self.emb(token)[None], hidden)
        ctx, weights = self.attn(y, memory, memory)
        return self.out((y + ctx)[0]), hidden
enc, dec = nn.GRU(6, 8), Decoder()
opt = torch.optim.NAdam([*enc.parameters(), *dec.parameters()])
memory, hidden = enc(dec.emb(torch.randint(0, 11, (5, 3))))
target = torch.randint(0, 11, (4, 3))
token, loss, outputs = torch.zeros(3, dtype=torch.long), 0, torch.zeros(4, 3, 11)
for t in range(4):
    logits, hidden = dec(token, hidden, memory)
    outputs[t] = logits
    loss = loss + F.cross_entropy(logits, target[t])
    token = target[t] if random.random() < 0.5 else logits.topk(1)[1].squeeze(-1).detach()
total = loss + F.cross_entropy(outputs.view(-1, 11), target.view(-1))
opt.zero_grad(); total.backward(); opt.step()
seen(logits, hidden, loss, total, outputs)
hidden = hidden.detach()
words = ["w%d" % i.item() for i in logits.argmax(1)]
