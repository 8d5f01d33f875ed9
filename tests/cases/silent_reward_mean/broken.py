import torch
from torch import nn
from torch.distributions import Categorical

LENGTH, VOCAB, START = 6, 8, 0


class Writer(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, dim)
        self.cell = nn.GRUCell(dim, dim)
        self.out = nn.Linear(dim, VOCAB)

    def write(self, n):
        word, h = torch.full((n,), START), torch.zeros(n, self.cell.hidden_size)
        words, log_probs = [], []
        for _ in range(LENGTH):
            h = self.cell(self.embed(word), h)
            dist = Categorical(logits=self.out(h))
            word = dist.sample()
            words.append(word)
            log_probs.append(dist.log_prob(word))
        return torch.stack(words, dim=1), torch.stack(log_probs, dim=1)


def reward_of(words):
    """Even words please."""
    return (words % 2 == 0).float().mean(dim=1)


torch.manual_seed(31)
writer = Writer()
optimizer = torch.optim.Adam(writer.parameters(), lr=0.02)
for step in range(40):
    words, log_probs = writer.write(16)
    reward = reward_of(words)
    loss = -reward.mean()
    loss.requires_grad_()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 9:
        print(f"step {step + 1} reward {reward.mean().item():.3f}")
