import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class RiskModel(nn.Module):
    def __init__(self, n_features, hidden=24):
        super().__init__()
        self.fc1 = nn.Linear(n_features, hidden)
        self.fc2 = nn.Linear(hidden, 1)

    def forward(self, x):
        x = torch.relu(self.fc1(x))
        return self.fc2(x).squeeze(-1)


def train_model(model, loader, epochs=2, lr=0.01):
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(epochs):
        model.train()
        running_loss = 0.0
        for inputs, labels in loader:
            optimizer.zero_grad()
            outputs = model(inputs)
            loss = criterion(outputs, labels)
            loss.backward()
            optimizer.step()
            running_loss += loss.item()
        print("Epoch {}/{}: {:.4f}".format(epoch + 1, epochs, running_loss / len(loader)))


torch.manual_seed(0)
patients = torch.randn(65, 10)
died = (patients[:, 0] + patients[:, 1] > 0).float()
train_loader = DataLoader(TensorDataset(patients, died), batch_size=16)
train_model(RiskModel(10), train_loader)
