import torch
import torch.nn as nn


class TinyLMWithValueHead(nn.Module):
    """GRU language model with a scalar value per position."""

    def __init__(self, vocab_size, hidden_size):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, hidden_size)
        self.rnn = nn.GRU(hidden_size, hidden_size, batch_first=True)
        self.lm_head = nn.Linear(hidden_size, vocab_size)
        self.v_head = nn.Linear(hidden_size, 1)

    def forward(self, input_ids):
        h, _ = self.rnn(self.embed(input_ids))
        return self.lm_head(h), self.v_head(h).squeeze(-1)


@torch.no_grad()
def generate(model, query, gen_len):
    ids = query
    for _ in range(gen_len):
        logits, _ = model(ids)
        nxt = torch.multinomial(logits[:, -1].softmax(-1), 1)
        ids = torch.cat([ids, nxt], dim=1)
    return ids[:, query.size(1):]
