import torch
from torch import nn, optim
from torch.nn import functional as F

T, B, D, V = 11, 6, 20, 32


class LearnedPositions(nn.Module):
    def __init__(self, steps, dim):
        super().__init__()
        self.table = nn.Parameter(torch.randn(steps, 1, dim) * 0.02)

    def forward(self, x):
        return x + self.table


class Copier(nn.Module):
    """Repeats a sequence of symbols; time first everywhere."""

    def __init__(self):
        super().__init__()
        self.symbols = nn.Embedding(V, D)
        self.positions = LearnedPositions(T, D)
        self.attend = nn.MultiheadAttention(D, num_heads=4)
        self.readout = nn.Linear(D, V)

    def forward(self, seq):
        x = self.positions(self.symbols(seq))
        y, _ = self.attend(x, x, x)
        return F.log_softmax(self.readout(x + y), dim=-1)


torch.manual_seed(29)
model = Copier()
criterion = nn.NLLLoss()
optimizer = optim.Adam(model.parameters(), lr=0.01)

for step in range(9):
    seq = torch.randint(0, V, (T, B))
    log_probs = model(seq)
    loss = criterion(log_probs.view(-1, V), seq.view(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 3 == 0:
        print("step %d loss %.4f" % (step, loss.item()))
