import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(19)


def make(n):
    x = torch.randn(n, 7)
    fraud = (x[:, 0] + 0.8 * x[:, 1] * x[:, 2] + 0.5 * torch.randn(n) > 0).float()
    return x, fraud


class FraudNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(7, 16)
        self.fc2 = nn.Linear(16, 1)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x))).squeeze(-1)


def evaluate(model, loader, threshold=0.5):
    model.eval()
    tp = fp = fn = tn = 0
    with torch.no_grad():
        for x, y in loader:
            score = model(x)
            alarm = score > threshold
            fraud = y.bool()
            tp += (alarm & fraud).sum().item()
            fp += (alarm & ~fraud).sum().item()
            fn += (~alarm & fraud).sum().item()
            tn += (~alarm & ~fraud).sum().item()
    precision, recall = tp / max(tp + fp, 1), tp / max(tp + fn, 1)
    return (tp + tn) / (tp + fp + fn + tn), precision, recall


train = DataLoader(TensorDataset(*make(128)), batch_size=32, shuffle=True)
test = DataLoader(TensorDataset(*make(80)), batch_size=32)
model = FraudNet()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(5):
    model.train()
    for x, y in train:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    accuracy, precision, recall = evaluate(model, test)
    print(f"epoch {epoch}: accuracy {accuracy:.3f} precision {precision:.3f} recall {recall:.3f}")
