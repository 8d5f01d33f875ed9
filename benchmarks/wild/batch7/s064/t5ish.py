import torch
from torch import nn


class EncoderDecoder(nn.Module):
    """Shifts the labels to the right for the decoder's input, as T5 does."""

    def __init__(self, vocab, dim):
        super().__init__()
        self.emb, self.pos = nn.Embedding(vocab, dim), nn.Embedding(64, dim)
        self.core = nn.Transformer(dim, 4, 1, 1, 64, dropout=0.0, batch_first=True)
        self.core.encoder.enable_nested_tensor = False
        self.head = nn.Linear(dim, vocab)
        self.loss = nn.CrossEntropyLoss(ignore_index=-100)

    def embed(self, ids):
        return self.emb(ids) + self.pos(torch.arange(ids.size(1)))

    def forward(self, input_ids, attention_mask, labels):
        start = torch.zeros_like(labels[:, :1])
        decoder_ids = torch.cat([start, labels[:, :-1]], dim=1).clamp(min=0)
        causal = torch.ones(labels.size(1), labels.size(1), dtype=torch.bool).triu(1)
        hidden = self.core(self.embed(input_ids), self.embed(decoder_ids), tgt_mask=causal,
                           src_key_padding_mask=~attention_mask, memory_key_padding_mask=~attention_mask)
        return self.loss(self.head(hidden).transpose(1, 2), labels)
