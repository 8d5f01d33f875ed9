import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(2)


class QuestionEmbedder(nn.Module):
    """Maps a question (seq, batch) onto the embedding of its predicate."""

    def __init__(self, n_words, dim, hidden, kg_dim):
        super().__init__()
        self.embed = nn.Embedding(n_words, dim)
        self.lstm = nn.LSTM(dim, hidden, bidirectional=True)
        self.attn = nn.Linear(dim + 2 * hidden, 1)
        self.tail = nn.Sequential(nn.Linear(dim + 2 * hidden, kg_dim), nn.Tanh())
        self.out = nn.Linear(kg_dim, kg_dim)

    def forward(self, text):
        x = self.embed(text)
        seq_len, batch, _ = x.shape
        outputs, _ = self.lstm(x)
        x = x.view(seq_len * batch, -1)
        outputs = outputs.view(seq_len * batch, -1)
        both = torch.cat((x, outputs), 1)
        weights = F.softmax(self.attn(both).view(seq_len, batch), dim=0).view(-1, 1)
        mixed = torch.cat((x, weights * outputs), 1)
        tokens = self.out(self.tail(mixed)).view(seq_len, batch, -1)
        return tokens.mean(0)


def sample(kg, n, seq_len):
    y = torch.randint(0, len(kg), (n,))
    text = torch.randint(len(kg), 80, (seq_len, n))
    text[torch.randint(0, seq_len, (n,)), torch.arange(n)] = y
    return text, kg[y]


kg = torch.randn(10, 24)
net = QuestionEmbedder(80, 16, 20, 24)
before = net.attn.weight.detach().clone()
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
for step in range(60):
    text, target = sample(kg, 32, 8)
    loss = F.mse_loss(net(text), target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if (step + 1) % 20 == 0:
        print("step", step + 1, "loss", round(loss.item(), 4))
with torch.no_grad():
    text, target = sample(kg, 200, 8)
    nearest = torch.cdist(net(text), kg).argmin(1)
    right = (kg[nearest] == target).all(1).float().mean()
print("hits@1", round(right.item(), 4))
print("attention moved by", round((net.attn.weight - before).abs().max().item(), 4))
