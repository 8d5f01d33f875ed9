import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(7)
WORDS, PAD, END, LONGEST = 11, 0, 1, 9


class Policy(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.emb = nn.Embedding(WORDS, width, padding_idx=PAD)
        self.body = nn.GRU(width, width, batch_first=True)
        self.words = nn.Linear(width, WORDS)
        self.value = nn.Linear(width, 1)

    def forward(self, ids):
        states, _ = self.body(self.emb(ids))
        return self.words(states), self.value(states).squeeze(-1)


@torch.no_grad()
def rollout(policy, prompts):
    ids, done = prompts, torch.zeros(len(prompts), dtype=torch.bool)
    old = []
    for _ in range(LONGEST):
        logits = policy(ids)[0][:, -1].clone()
        logits[:, PAD] = -1e9
        drawn = torch.distributions.Categorical(logits=logits)
        word = torch.where(done, torch.full_like(done, PAD, dtype=torch.long), drawn.sample())
        old.append(drawn.log_prob(word))
        ids = torch.cat([ids, word.unsqueeze(1)], dim=1)
        done = done | (word == END)
        if done.all():
            break
    return ids, torch.stack(old, dim=1)


def gae(rewards, values, mask, gamma=0.98, lam=0.9):
    running, found = 0.0, []
    for t in reversed(range(rewards.size(1))):
        after = values[:, t + 1] * mask[:, t + 1] if t + 1 < rewards.size(1) else 0.0
        delta = rewards[:, t] + gamma * after - values[:, t]
        running = delta + gamma * lam * running
        found.append(running)
    return torch.stack(found[::-1], dim=1)


policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=3e-3)
for iteration in range(2):
    prompts = torch.randint(2, WORDS, (6, 2))
    ids, old = rollout(policy, prompts)
    start = prompts.size(1)
    words = ids[:, start:]
    ended = (words == END).long().cumsum(1) - (words == END).long()
    mask = (ended == 0).float()
    lengths = mask.sum(1).long()
    scores = ((words % 2 == 0) * mask).sum(1)
    with torch.no_grad():
        values = policy(ids)[1][:, start - 1 : -1]
        rewards = torch.zeros_like(old)
        rewards[torch.arange(len(ids)), lengths - 1] += scores
        advantages = gae(rewards, values * mask, mask)
        returns = advantages + values
        real = advantages[mask.bool()]
        advantages = (advantages - real.mean()) / (real.std() + 1e-8)
    for _ in range(2):
        logits, guesses = policy(ids)
        logits = logits[:, start - 1 : -1].clone()
        logits[:, :, PAD] = -1e9
        new = F.log_softmax(logits, dim=-1).gather(2, words.unsqueeze(2)).squeeze(2)
        ratio = ((new - old) * mask).exp()
        gain = torch.min(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages)
        wrong = (guesses[:, start - 1 : -1] - returns) ** 2
        loss = ((0.1 * wrong - gain) * mask).sum() / mask.sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"{iteration + 1}: score {scores.mean().item():.3f} loss {loss.item():.4f}")
