import torch
from torch import nn


class Translator(nn.Module):
    def __init__(self, vocab, dim, heads, layers, max_len=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.pos = nn.Embedding(max_len, dim)
        enc = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout=0.0, batch_first=True)
        dec = nn.TransformerDecoderLayer(dim, heads, 2 * dim, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(enc, layers, enable_nested_tensor=False)
        self.decoder = nn.TransformerDecoder(dec, layers)
        self.out = nn.Linear(dim, vocab)

    def embed(self, ids):
        return self.emb(ids) + self.pos(torch.arange(ids.size(1)))

    def encode(self, src):
        return self.encoder(self.embed(src))

    def decode(self, tgt, memory):
        mask = nn.Transformer.generate_square_subsequent_mask(tgt.size(1))
        hidden = self.decoder(self.embed(tgt), memory, tgt_mask=mask)
        return self.out(hidden)

    def forward(self, src, tgt):
        return self.decode(tgt, self.encode(src))
