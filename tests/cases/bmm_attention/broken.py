import math

import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.query = nn.Linear(dim, dim)
        self.key = nn.Linear(dim, dim)
        self.value = nn.Linear(dim, dim)

    def forward(self, question, passage):
        q, k, v = self.query(question), self.key(passage), self.value(passage)
        energy = torch.bmm(q, k) / math.sqrt(q.size(-1))
        return torch.bmm(energy.softmax(dim=-1), v)


class AnswerSelector(nn.Module):
    def __init__(self, vocab=60, dim=24, answers=4):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.attend = CrossAttention(dim)
        self.score = nn.Linear(2 * dim, answers)

    def forward(self, question, passage):
        q, p = self.embed(question), self.embed(passage)
        context = self.attend(q, p)
        pooled = torch.cat([q.mean(1), context.mean(1)], dim=-1)
        return self.score(pooled)


torch.manual_seed(2)
model = AnswerSelector()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()
questions = torch.randint(0, 60, (30, 6))
passages = torch.randint(0, 60, (30, 9))
answers = torch.randint(0, 4, (30,))

for epoch in range(3):
    for i in range(0, 30, 10):
        sl = slice(i, i + 10)
        loss = criterion(model(questions[sl], passages[sl]), answers[sl])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch:", epoch, "loss:", round(loss.item(), 4))
