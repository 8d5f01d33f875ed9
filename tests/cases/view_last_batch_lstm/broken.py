import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

batch_size = 16
n_steps, n_inputs, n_neurons, n_outputs = 8, 6, 30, 3


class GestureLSTM(nn.Module):
    def __init__(self, batch_size, n_steps, n_inputs, n_neurons, n_outputs):
        super().__init__()
        self.batch_size = batch_size
        self.n_steps = n_steps
        self.n_inputs = n_inputs
        self.lstm = nn.LSTM(n_inputs, n_neurons, batch_first=True)
        self.FC = nn.Linear(n_neurons, n_outputs)

    def forward(self, X):
        X = X.view(self.batch_size, self.n_steps, self.n_inputs)
        out, _ = self.lstm(X)
        return self.FC(out[:, -1])


torch.manual_seed(0)
recordings = torch.randn(100, n_steps * n_inputs)
gestures = torch.randint(0, n_outputs, (100,))
train_loader = DataLoader(TensorDataset(recordings, gestures), batch_size=batch_size)

model = GestureLSTM(batch_size, n_steps, n_inputs, n_neurons, n_outputs)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)

for epoch in range(2):
    train_loss = 0.0
    for i, (inputs, labels) in enumerate(train_loader):
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
        train_loss += loss.detach().item()
    print("Epoch:  %d | Loss: %.4f" % (epoch, train_loss / (i + 1)))
