import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
SOS = 1


class AttnDecoder(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.embedding = nn.Embedding(vocab, hidden)
        self.attn = nn.Linear(2 * hidden, 1)
        self.gru = nn.GRU(2 * hidden, hidden)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, token, hidden, enc):
        # token (B,), hidden (1, B, H), enc (B, T, H)
        emb = self.embedding(token).unsqueeze(0)
        query = hidden[-1].unsqueeze(1).expand(-1, enc.size(1), -1)
        weights = self.attn(torch.cat([query, enc], dim=-1)).squeeze(-1).softmax(-1)
        context = torch.bmm(weights.unsqueeze(1), enc)
        rnn_in = torch.cat([emb, context], dim=2)
        out, hidden = self.gru(rnn_in, hidden)
        return F.log_softmax(self.out(out[0]), dim=1), hidden


class Encoder(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.embedding = nn.Embedding(vocab, hidden)
        self.gru = nn.GRU(hidden, hidden, batch_first=True)

    def forward(self, x):
        return self.gru(self.embedding(x))


def train_step(enc, dec, opt, src, tgt):
    outputs, hidden = enc(src)
    token = torch.full((src.size(0),), SOS)
    loss = 0.0
    for t in range(tgt.size(1)):
        logp, hidden = dec(token, hidden, outputs)
        loss = loss + F.nll_loss(logp, tgt[:, t])
        token = tgt[:, t]
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item() / tgt.size(1)


enc, dec = Encoder(30, 16), AttnDecoder(30, 16)
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=1e-2)
for step in range(4):
    src = torch.randint(2, 30, (5, 7))
    print(step, f"{train_step(enc, dec, opt, src, src.flip(1)):.4f}")
