"""Sentences in one of four classes: the context keeps an axis that the last state has not."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Attending(nn.Module):
    def __init__(self, words=40, width=12, classes=4):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.read = nn.GRU(width, width, batch_first=True)
        self.judge = nn.Linear(width, classes)

    def forward(self, tokens):
        states, last = self.read(self.embed(tokens))
        last = last[-1]
        share = F.softmax(torch.bmm(states, last.unsqueeze(2)).squeeze(2), dim=1)
        context = torch.bmm(share.unsqueeze(1), states)
        return self.judge(torch.tanh(context + last))


sentences = TensorDataset(torch.randint(0, 40, (26, 7)), torch.randint(0, 4, (26,)))
model = Attending()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for tokens, classes in DataLoader(sentences, batch_size=8):
    loss = F.cross_entropy(model(tokens), classes)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.3f}")
