import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(7)


class BinaryClassifier(nn.Module):
    def __init__(self, n_features=10):
        super(BinaryClassifier, self).__init__()
        self.layer_1 = nn.Linear(n_features, 32)
        self.layer_2 = nn.Linear(32, 16)
        self.layer_out = nn.Linear(16, 1)
        self.relu = nn.ReLU()
        self.sigmoid = nn.Sigmoid()

    def forward(self, inputs):
        x = self.relu(self.layer_1(inputs))
        x = self.relu(self.layer_2(x))
        return self.sigmoid(self.layer_out(x))


def binary_acc(y_pred, y_test):
    return (y_pred.round() == y_test).float().mean().item()


X = torch.randn(100, 10)
Y = (X.sum(1) > 0).float()
train_loader = DataLoader(TensorDataset(X, Y), batch_size=20, shuffle=True)
model = BinaryClassifier()
criterion = nn.BCELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for e in range(3):
    epoch_loss = epoch_acc = 0
    for X_batch, y_batch in train_loader:
        optimizer.zero_grad()
        y_pred = model(X_batch)
        loss = criterion(y_pred, y_batch.unsqueeze(1))
        acc = binary_acc(y_pred, y_batch.unsqueeze(1))
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
        epoch_acc += acc
    print(f"Epoch {e}: | Loss: {epoch_loss / len(train_loader):.5f} | Acc: {epoch_acc / len(train_loader):.3f}")
