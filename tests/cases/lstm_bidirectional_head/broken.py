import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class BiLSTM(nn.Module):
    def __init__(self, input_size, hidden_size, num_classes, bidirectional=True):
        super().__init__()
        self.lstm = nn.LSTM(input_size, hidden_size, batch_first=True, bidirectional=bidirectional)
        self.fc = nn.Linear(hidden_size, num_classes)

    def forward(self, x):
        out, _ = self.lstm(x)
        pooled = out.max(dim=1).values
        return self.fc(pooled)


hparams = dict(input_size=5, hidden_size=18, num_classes=4)
torch.manual_seed(59)
x = torch.randn(42, 12, 5)
y = torch.randint(0, hparams["num_classes"], (42,))
loader = DataLoader(TensorDataset(x, y), batch_size=7)

model = BiLSTM(**hparams)
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
for epoch in range(2):
    for i, (seq, lab) in enumerate(loader):
        pred = model(seq)
        loss = loss_fn(pred, lab)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} last loss {loss.item():.4f}")
