import torch
import torch.nn as nn


class Player(nn.Module):
    def __init__(self):
        super().__init__()
        self.rating = nn.Embedding(12, 4)
        self.bias = nn.Linear(4, 1)

    def strength(self, who):
        return self.bias(self.rating(who)).squeeze(-1)


def matches(n):
    skill = torch.linspace(-1, 1, 12)
    a, b = torch.randint(0, 12, (n,)), torch.randint(0, 12, (n,))
    return list(zip(a, b, skill[a] - skill[b] + 0.1 * torch.randn(n)))


torch.manual_seed(29)
model = Player()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
criterion = nn.MSELoss()
played = matches(60)
for epoch in range(6):
    running = 0.0
    for k in range(0, 60, 12):
        batch = played[k:k + 12]
        guesses = []
        for a, b, _ in batch:
            guesses.append(model.strength(a) - model.strength(b))
        guess = torch.stack(guesses)
        margin = torch.stack([m for _, _, m in batch])
        loss = criterion(guess, margin)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.item()
    print(f"epoch {epoch}: {running / 5:.5f}")
