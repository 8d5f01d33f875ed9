import torch
import torch.nn as nn


class DataEmbedding(nn.Module):
    def __init__(self, c_in, d_model, n_marks=2):
        super().__init__()
        self.value_embedding = nn.Conv1d(c_in, d_model, 3, padding=1, padding_mode="circular")
        self.temporal_embedding = nn.Linear(n_marks, d_model, bias=False)

    def forward(self, x, x_mark):
        value = self.value_embedding(x.transpose(1, 2)).transpose(1, 2)
        return value + self.temporal_embedding(x_mark)


class Informer(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.pred_len = args.pred_len
        self.enc_embedding = DataEmbedding(args.enc_in, args.d_model)
        self.dec_embedding = DataEmbedding(args.enc_in, args.d_model)
        self.body = nn.Transformer(args.d_model, args.n_heads, 1, 1, 2 * args.d_model, 0.0, batch_first=True)
        self.projection = nn.Linear(args.d_model, args.enc_in)

    def forward(self, x_enc, x_mark_enc, x_dec, x_mark_dec):
        enc_out = self.enc_embedding(x_enc, x_mark_enc)
        dec_out = self.dec_embedding(x_dec, x_mark_dec)
        out = self.body(enc_out, dec_out)
        return self.projection(out)[:, -self.pred_len:, :]
