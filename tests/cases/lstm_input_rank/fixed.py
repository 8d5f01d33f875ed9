import torch
import torch.nn as nn


class StockLSTM(nn.Module):
    def __init__(self, input_dim, hidden_dim, num_layers):
        super(StockLSTM, self).__init__()
        self.hidden_dim = hidden_dim
        self.num_layers = num_layers
        self.lstm = nn.LSTM(input_dim, hidden_dim, num_layers, batch_first=True)
        self.fc = nn.Linear(hidden_dim, 1)

    def forward(self, x):
        h0 = torch.zeros(self.num_layers, x.size(0), self.hidden_dim)
        c0 = torch.zeros(self.num_layers, x.size(0), self.hidden_dim)
        out, _ = self.lstm(x, (h0, c0))
        return self.fc(out[:, -1, :])


torch.manual_seed(0)
days = 60
indicators = torch.randn(days, 6)
close = indicators[:, :1] * 0.5 + torch.randn(days, 1) * 0.1

model = StockLSTM(input_dim=6, hidden_dim=16, num_layers=2)
criterion = nn.MSELoss(reduction="mean")
optimiser = torch.optim.Adam(model.parameters(), lr=0.01)

for t in range(5):
    for k in range(0, days, 20):
        x_train = indicators[k:k + 20].unsqueeze(1)
        y_train_pred = model(x_train)
        loss = criterion(y_train_pred, close[k:k + 20])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    print("Epoch ", t, "MSE: ", round(loss.item(), 4))
