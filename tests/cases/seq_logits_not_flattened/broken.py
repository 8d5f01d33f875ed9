"""Toy translation: number words to digits, teacher forcing."""
import torch
import torch.nn as nn
import torch.nn.functional as F

SRC, TGT, HID = 30, 14, 32


class Seq2Seq(nn.Module):
    def __init__(self):
        super().__init__()
        self.src_emb = nn.Embedding(SRC, HID)
        self.tgt_emb = nn.Embedding(TGT, HID)
        self.encoder = nn.GRU(HID, HID)
        self.decoder = nn.GRU(HID, HID)
        self.project = nn.Linear(HID, TGT)

    def forward(self, src, tgt_in):
        _, state = self.encoder(self.src_emb(src))
        out, _ = self.decoder(self.tgt_emb(tgt_in), state)
        return F.log_softmax(self.project(out), dim=2)


def sentence_pairs(batch):
    src = torch.randint(1, SRC, (9, batch))
    tgt = torch.randint(1, TGT, (8, batch))
    return src, tgt


torch.manual_seed(8)
model = Seq2Seq()
nll = nn.NLLLoss(ignore_index=0)
optim = torch.optim.Adam(model.parameters(), lr=1e-3)

for it in range(4):
    src, tgt = sentence_pairs(batch=5)
    log_probs = model(src, tgt[:-1])
    gold = tgt[1:]
    loss = nll(log_probs, gold.flatten())
    optim.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optim.step()
    print("iter", it, "nll", round(loss.item(), 4))
