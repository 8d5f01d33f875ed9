import torch
import torch.nn.functional as F
from torch import nn

from coders import Decoder, Encoder


class Suggester(nn.Module):
    def __init__(self, n_words, args):
        super().__init__()
        self.emb = nn.Embedding(n_words, args.emsize)
        self.encoder = Encoder(args.emsize, args.nhid, args.nlayers, args.bidirection)
        self.decoder = Decoder(args.emsize, args.nhid, args.nlayers, n_words)
        self.opt = torch.optim.Adam(self.parameters(), lr=args.learning_rate)

    def update(self, src, tgt):
        _, state = self.encoder(self.emb(src))
        logits, _ = self.decoder(self.emb(tgt[:, :-1]), state)
        loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def suggest(self, src, n):
        _, state = self.encoder(self.emb(src))
        word = torch.ones(len(src), 1, dtype=torch.long)
        out = []
        for _ in range(n):
            logits, state = self.decoder(self.emb(word), state)
            word = logits.argmax(-1)
            out.append(word)
        return torch.cat(out, 1)
