import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
VOCAB = 30


class TinyLM(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, VOCAB)

    def forward(self, ids):
        return self.head(self.rnn(self.emb(ids))[0])


def sequence_logp(model, ids, mask):
    logits = model(ids)
    logp = logits[:, :-1].log_softmax(-1)
    picked = torch.gather(logp, 2, ids.unsqueeze(2)).squeeze(2)
    return (picked * mask).sum(-1)


policy, reference = TinyLM(), TinyLM()
reference.load_state_dict(policy.state_dict())
opt = torch.optim.AdamW(policy.parameters(), lr=1e-3)
for step in range(3):
    chosen, rejected = torch.randint(1, VOCAB, (6, 12)), torch.randint(1, VOCAB, (6, 12))
    m = torch.ones(6, 12)
    m[:, :4] = 0
    with torch.no_grad():
        rc, rr = sequence_logp(reference, chosen, m), sequence_logp(reference, rejected, m)
    pc, pr = sequence_logp(policy, chosen, m), sequence_logp(policy, rejected, m)
    loss = -F.logsigmoid(0.1 * ((pc - rc) - (pr - rr))).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, round(loss.item(), 4))
