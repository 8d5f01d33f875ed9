import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(21)
VOCAB, PAD, EOS = 8, 0, 1


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, 14)
        self.cell = nn.GRUCell(14, 14)
        self.out = nn.Linear(14, VOCAB)

    def step(self, token, state):
        state = self.cell(self.embed(token), state)
        return Categorical(logits=self.out(state)), state


agent = Agent()
optimizer = torch.optim.Adam(agent.parameters(), lr=5e-3)
for episode in range(3):
    batch = 6
    token, state = torch.full((batch,), EOS), torch.zeros(batch, 14)
    alive = torch.ones(batch, dtype=torch.bool)
    tokens, logps, alives = [], [], []
    for _ in range(8):
        choice, state = agent.step(token, state)
        token = choice.sample().masked_fill(~alive, PAD)
        tokens.append(token)
        logps.append(choice.log_prob(token))
        alives.append(alive)
        alive = alive & (token != EOS)
    tokens, logps = torch.stack(tokens, 1), torch.stack(logps, 1)
    mask = torch.stack(alives, 1).float()
    score = ((tokens > 4) * mask).sum(1)
    # The sum of what comes after a step is the score at every one of them, wherever it stands.
    rewards = torch.zeros_like(mask)
    rewards[:, -1] = score - score.mean()
    to_go = rewards.flip(1).cumsum(1).flip(1)
    loss = -torch.where(mask > 0, logps * to_go, torch.zeros(())).sum() / mask.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"episode {episode}: score {score.mean().item():.2f}")
