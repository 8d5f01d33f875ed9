import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(5)
WORDS, PAD, END = 12, 0, 1


class Policy(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.emb = nn.Embedding(WORDS, width, padding_idx=PAD)
        self.body = nn.GRU(width, width, batch_first=True)
        self.words = nn.Linear(width, WORDS)
        self.value = nn.Linear(width, 1)

    def forward(self, tokens):
        states, _ = self.body(self.emb(tokens))
        return self.words(states), self.value(states).squeeze(-1)


def sample(policy, prompt, longest=7):
    tokens = list(prompt)
    for _ in range(longest):
        logits, _ = policy(torch.tensor([tokens]))
        allowed = logits[0, -1].clone()
        allowed[PAD] = float("-inf")
        word = torch.multinomial(allowed.softmax(-1), 1).item()
        tokens.append(word)
        if word == END:
            break
    return torch.tensor(tokens)


def log_probs(logits, tokens):
    scores = F.log_softmax(logits[:, :-1], dim=-1)
    return scores.gather(2, tokens[:, 1:].unsqueeze(2)).squeeze(2)


def whiten(advantages, mask):
    n = mask.sum()
    mean = (advantages * mask).sum() / n
    var = ((advantages - mean) ** 2 * mask).sum() / (n - 1)
    return (advantages - mean) / (var + 1e-8).sqrt() * mask


def reward_of(texts):
    return torch.tensor([float((text % 2 == 0).sum()) for text in texts])


policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=3e-3)
for iteration in range(6):
    prompts = [[2 + (iteration + row) % 10] for row in range(8)]
    with torch.no_grad():
        texts = [sample(policy, prompt) for prompt in prompts]
        scores = reward_of(texts)
        tokens = pad_sequence(texts, batch_first=True, padding_value=PAD)
        lengths = torch.tensor([len(text) - 1 for text in texts])
        mask = (torch.arange(tokens.size(1) - 1) < lengths.unsqueeze(1)).float()
        logits, values = policy(tokens)
        old = log_probs(logits, tokens)
        values = values[:, :-1] * mask
        rewards = torch.zeros_like(values)
        rewards[torch.arange(len(texts)), lengths - 1] += scores
        advantages = torch.zeros_like(values)
        running = torch.zeros(len(texts))
        for t in range(values.size(1) - 1, -1, -1):
            after = values[:, t + 1] if t + 1 < values.size(1) else torch.zeros(len(texts))
            running = rewards[:, t] + after - values[:, t] + 0.95 * running
            advantages[:, t] = running
        returns = advantages + values
        advantages = whiten(advantages, mask)
    for _ in range(2):
        logits, new_values = policy(tokens)
        ratio = (log_probs(logits, tokens) - old).exp()
        gain = torch.min(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages)
        policy_loss = -(gain * mask).sum() / mask.sum()
        value_loss = ((new_values[:, :-1] - returns) ** 2 * mask).sum() / mask.sum()
        loss = policy_loss + 0.1 * value_loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"iteration {iteration + 1} reward {scores.mean().item():.3f} loss {loss.item():.4f}")
