import torch
import torch.nn as nn
import torch.nn.functional as F

EOS, V = 2, 12


class Policy(nn.Module):
    def __init__(self, d=24):
        super().__init__()
        self.emb, self.rnn, self.out = nn.Embedding(V, d), nn.LSTM(d, d, batch_first=True), nn.Linear(d, V)

    def logits(self, ids):
        return self.out(self.rnn(self.emb(ids))[0])


def rollout(policy, prompts, max_new=10):
    ids = prompts
    finished = torch.zeros(ids.size(0), dtype=torch.bool)
    with torch.no_grad():
        for _ in range(max_new):
            tok = torch.multinomial(F.softmax(policy.logits(ids)[:, -1], -1), 1)
            ids = torch.cat([ids, tok], 1)
            finished |= tok.squeeze(1) == EOS
            if finished.all():
                break
    return ids


torch.manual_seed(3)
policy = Policy()
opt = torch.optim.Adam(policy.parameters(), lr=2e-3)
for step in range(6):
    prompts = torch.randint(3, V, (8, 2))
    ids = rollout(policy, prompts)
    comp = ids[:, 2:]
    reward = (comp[:, :3] > 6).float().sum(1)
    adv = (reward - reward.mean()) / (reward.std() + 1e-6)
    lp = policy.logits(ids[:, :-1]).log_softmax(-1).gather(2, ids[:, 1:, None]).squeeze(2)[:, 1:]
    behind = (comp == EOS).cumsum(1) - (comp == EOS).long()
    mask = (behind == 0).float()
    loss = -(lp * adv[:, None] * mask).sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, reward.mean().item())
