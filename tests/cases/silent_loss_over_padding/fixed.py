import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(11)
torch.manual_seed(11)
LETTERS = "_abcdefghij"
PAD = 0


def spelled(word, width):
    ids = [LETTERS.index(c) for c in word]
    return ids + [PAD] * (width - len(ids))


words = ["".join(random.choice(LETTERS[1:]) for _ in range(random.randint(2, 5))) for _ in range(30)]
words[7] = "abcdefghijab"
width = max(map(len, words))
batch = torch.tensor([spelled(w, width) for w in words])


class NextLetter(nn.Module):
    """Tags every letter with the one that follows in the alphabet."""

    def __init__(self, dim=20):
        super().__init__()
        self.emb = nn.Embedding(len(LETTERS), dim, padding_idx=PAD)
        self.fc = nn.Linear(dim, len(LETTERS))

    def forward(self, ids):
        return self.fc(self.emb(ids))


target = torch.where(batch == PAD, PAD, batch % 10 + 1)
model = NextLetter()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(12):
    logits = model(batch)
    loss = F.cross_entropy(logits.transpose(1, 2), target, ignore_index=PAD)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 4 == 3:
        print(f"epoch {epoch + 1}: loss {loss.item():.4f}")
