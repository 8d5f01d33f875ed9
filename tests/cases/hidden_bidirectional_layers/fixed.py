import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Sentiment(nn.Module):
    def __init__(self, vocab=80, width=16, hid=20, layers=2):
        super().__init__()
        self.hid, self.layers = hid, layers
        self.emb = nn.Embedding(vocab, width)
        self.lstm = nn.LSTM(width, hid, layers, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(hid * 2, 1)

    def init_hidden(self, n):
        return (torch.zeros(self.layers * 2, n, self.hid), torch.zeros(self.layers * 2, n, self.hid))

    def forward(self, x):
        out, _ = self.lstm(self.emb(x), self.init_hidden(x.size(0)))
        return self.fc(out[:, -1]).squeeze(1)


torch.manual_seed(0)
ds = TensorDataset(torch.randint(0, 80, (50, 11)), torch.randint(0, 2, (50,)).float())
net = Sentiment()
opt = torch.optim.Adam(net.parameters())
for x, y in DataLoader(ds, batch_size=10):
    loss = nn.functional.binary_cross_entropy_with_logits(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 4))
