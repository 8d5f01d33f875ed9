"""Learning from preferences: a policy writes answers, a reward model learns which are better.

B rows, T tokens, W width, V words
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WORDS, WIDTH, LENGTH = 24, 32, 5


class Policy(nn.Module):
    """A small language model: a hidden state for each token, and a score for each next word."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(WORDS, WIDTH)
        self.memory = nn.GRU(WIDTH, WIDTH, batch_first=True)
        self.next_word = nn.Linear(WIDTH, WORDS)

    def hidden(self, tokens_BT):
        return self.memory(self.embed(tokens_BT))[0]  # (B, T, W)

    def answer(self, prompts_BT):
        tokens_BT = prompts_BT
        for _ in range(LENGTH):
            logits_BV = self.next_word(self.hidden(tokens_BT)[:, -1])
            word_B1 = torch.multinomial(logits_BV.softmax(-1), 1)
            tokens_BT = torch.cat([tokens_BT, word_B1], dim=1)
        return tokens_BT[:, prompts_BT.size(1) :]


class RewardModel(nn.Module):
    """A value head on the last hidden state of a language model."""

    def __init__(self, policy):
        super().__init__()
        self.policy = policy
        self.value = nn.Linear(WIDTH, 1)

    def forward(self, prompts, answers):
        tokens_BT = torch.cat([prompts, answers], dim=1)
        last_BW = self.policy.hidden(tokens_BT)[:, -1]
        return self.value(last_BW)


torch.manual_seed(0)
torch.set_num_threads(1)  # the tensors are small: a second thread would only wait
policy = Policy()
prompts = torch.randint(0, WORDS, (60, LENGTH))
with torch.no_grad():
    rejected = policy.answer(prompts)  # whatever an untrained policy says
chosen = prompts.flip(1)  # the readers like to see their words again, backwards
triples = DataLoader(TensorDataset(prompts, chosen, rejected), batch_size=1, shuffle=True)

reward = RewardModel(policy)
ranking = nn.MarginRankingLoss(margin=1.0)
optimizer = torch.optim.Adam(reward.parameters(), lr=3e-3)

for epoch in range(4):
    losses, right = [], 0
    for prompt, better, worse in triples:
        rewards, others = reward(prompt, better), reward(prompt, worse)
        labels = torch.ones(rewards.size(0))  # the first is better
        loss = ranking(rewards, others, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        right += (rewards > others).sum().item()
    mean, share = sum(losses) / len(losses), right / len(prompts)
    print(f"epoch {epoch}: loss {mean:.3f}, right {share:.0%}")
