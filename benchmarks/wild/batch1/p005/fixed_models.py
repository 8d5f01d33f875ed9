import torch
import torch.nn as nn

from fixed_embed import Embedder, PositionalEncoder


class Transformer(nn.Module):
    def __init__(self, src_vocab, trg_vocab, d_model, n_layers, heads):
        super().__init__()
        self.src_embed = Embedder(src_vocab, d_model)
        self.trg_embed = Embedder(trg_vocab, d_model)
        self.pe = PositionalEncoder(d_model)
        self.body = nn.Transformer(d_model, heads, n_layers, n_layers, 2 * d_model,
                                   dropout=0.0, batch_first=True)
        self.out = nn.Linear(d_model, trg_vocab)

    def forward(self, src, trg):
        src_pad, trg_pad = src == 0, trg == 0
        causal = torch.triu(torch.ones(trg.size(1), trg.size(1), dtype=torch.bool), 1)
        output = self.body(self.pe(self.src_embed(src)), self.pe(self.trg_embed(trg)), tgt_mask=causal,
                           src_key_padding_mask=src_pad, tgt_key_padding_mask=trg_pad,
                           memory_key_padding_mask=src_pad)
        return self.out(output)


def get_model(opt):
    assert opt.d_model % opt.heads == 0
    model = Transformer(opt.src_vocab, opt.trg_vocab, opt.d_model, opt.n_layers, opt.heads)
    for p in model.parameters():
        if p.dim() > 1:
            nn.init.xavier_uniform_(p)
    return model
