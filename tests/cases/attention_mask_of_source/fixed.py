import math

import torch
import torch.nn as nn

torch.manual_seed(4)


class Seq2SeqTransformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=32):
        super().__init__()
        self.d_model = d_model
        self.src_embed = nn.Embedding(src_vocab, d_model)
        self.tgt_embed = nn.Embedding(tgt_vocab, d_model)
        self.transformer = nn.Transformer(d_model, 4, 1, 1, 64, dropout=0.0, batch_first=True)
        self.out = nn.Linear(d_model, tgt_vocab)

    def forward(self, src, tgt):
        tgt_mask = nn.Transformer.generate_square_subsequent_mask(tgt.size(1))
        src_emb = self.src_embed(src) * math.sqrt(self.d_model)
        tgt_emb = self.tgt_embed(tgt) * math.sqrt(self.d_model)
        hidden = self.transformer(src_emb, tgt_emb, tgt_mask=tgt_mask)
        return self.out(hidden)


model = Seq2SeqTransformer(40, 35)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
loss_fn = nn.CrossEntropyLoss(ignore_index=0)
src = torch.randint(1, 40, (6, 13))
tgt = torch.randint(1, 35, (6, 9))

model.train()
for step in range(3):
    logits = model(src, tgt[:, :-1])
    loss = loss_fn(logits.reshape(-1, logits.shape[-1]), tgt[:, 1:].reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step} loss {loss.item():.4f}")
