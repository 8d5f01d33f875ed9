import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class FraudDetector(nn.Module):
    def __init__(self, num_features=5):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(num_features, 16),
            nn.ReLU(),
            nn.Linear(16, 1),
            nn.Sigmoid(),
        )

    def forward(self, x):
        return self.layers(x)


def load_transactions(n=200):
    rng = np.random.default_rng(1234)
    amounts = rng.lognormal(mean=3, sigma=1, size=(n, 1))
    others = rng.normal(size=(n, 4))
    flag = np.where(amounts > 40, 1.0, 0.0)
    x = np.hstack([np.log(amounts), others])
    return TensorDataset(torch.Tensor(x), torch.from_numpy(flag).float())


if __name__ == "__main__":
    torch.manual_seed(1234)
    device = torch.device("cpu")
    model = FraudDetector().to(device)
    criterion = nn.BCELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    dataloader = DataLoader(load_transactions(), batch_size=50)
    for epoch in range(1, 4):
        for batch_idx, (data, flag) in enumerate(dataloader):
            data, flag = data.to(device), flag.to(device)
            optimizer.zero_grad()
            loss = criterion(model(data), flag)
            loss.backward()
            optimizer.step()
        print(f"Epoch: {epoch} \tLoss: {loss.item():.6f}")
