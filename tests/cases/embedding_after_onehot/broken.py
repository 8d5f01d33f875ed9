import torch
import torch.nn as nn
import torch.nn.functional as F

AMINO = "ACDEFGHIKLMNPQRSTVWY"


def tokenize(peptide):
    numbers = torch.tensor([AMINO.index(a) for a in peptide])
    return F.one_hot(numbers, num_classes=len(AMINO))


class BindingCNN(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.embed = nn.Embedding(len(AMINO), dim)
        self.conv = nn.Conv1d(dim, 16, kernel_size=3)
        self.out = nn.Linear(16, 2)

    def forward(self, tokens):
        x = self.embed(tokens)
        x = x.transpose(-1, 1)
        x = F.relu(self.conv(x)).amax(dim=-1)
        return self.out(x)


def random_peptides(n, length=10):
    picks = torch.randint(0, len(AMINO), (n, length)).tolist()
    return ["".join(AMINO[i] for i in row) for row in picks]


torch.manual_seed(23)
peptides = random_peptides(24)
binds = torch.tensor([int("W" in p or "K" in p) for p in peptides])
inputs = torch.stack([tokenize(p) for p in peptides])

model = BindingCNN()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    for x, y in zip(inputs.split(6), binds.split(6)):
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch %d loss %.4f" % (epoch, loss.item()))
