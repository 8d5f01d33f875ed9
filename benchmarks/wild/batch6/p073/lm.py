from torch import nn


class CountdownLM(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        return self.head(self.rnn(self.emb(ids))[0])


def token_logps(model, ids, labels):
    """(B, T - 1): log-probability of each next token, 0 where there is no label."""
    logps = model(ids)[:, :-1].log_softmax(dim=-1)
    target = labels[..., 1:]
    picked = logps.gather(-1, target.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    return picked * (target != -100)
