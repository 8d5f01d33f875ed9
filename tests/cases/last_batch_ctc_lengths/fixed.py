import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Plates(Dataset):
    def __init__(self, n=37):
        g = torch.Generator().manual_seed(3)
        self.x = torch.rand(n, 1, 32, 96, generator=g)
        self.y = torch.randint(1, 11, (n, 6), generator=g)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class CRNN(nn.Module):
    def __init__(self, classes=11):
        super().__init__()
        self.cnn = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        )
        self.rnn = nn.LSTM(16 * 8, 32, bidirectional=True)
        self.fc = nn.Linear(64, classes)

    def forward(self, x):
        f = self.cnn(x)
        b, c, h, w = f.shape
        f = f.permute(3, 0, 1, 2).reshape(w, b, c * h)
        out, _ = self.rnn(f)
        return self.fc(out).log_softmax(2)


BATCH = 8
torch.manual_seed(0)
model = CRNN()
ctc = nn.CTCLoss()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for x, y in DataLoader(Plates(), batch_size=BATCH):
    preds = model(x)
    in_len = torch.full((x.size(0),), preds.size(0), dtype=torch.long)
    tg_len = torch.full((x.size(0),), y.size(1), dtype=torch.long)
    loss = ctc(preds, y, in_len, tg_len)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 3))
