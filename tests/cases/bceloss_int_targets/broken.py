import numpy as np
import torch

np.random.seed(0)
torch.manual_seed(0)

# tenure (months), monthly charge, number of support calls
tenure = np.random.randint(1, 72, size=200)
charge = np.random.uniform(10, 90, size=200)
calls = np.random.poisson(1.5, size=200)
churned = ((calls > 2) & (tenure < 36)).astype(int)

features = np.stack([tenure / 72, charge / 90, calls / 5], axis=1)
X = torch.tensor(features, dtype=torch.float32)
Y = torch.tensor(churned).reshape(-1, 1)


class LogisticRegression(torch.nn.Module):
    def __init__(self, n_features):
        super(LogisticRegression, self).__init__()
        self.linear = torch.nn.Linear(n_features, 1)

    def forward(self, x):
        return torch.sigmoid(self.linear(x))


clf = LogisticRegression(X.shape[1])
loss_function = torch.nn.BCELoss()
optimizer = torch.optim.SGD(clf.parameters(), lr=0.5)

for epoch in range(60):
    optimizer.zero_grad()
    probability = clf(X)
    loss = loss_function(probability, Y)
    loss.backward()
    optimizer.step()
    if epoch % 20 == 0:
        print("epoch:", epoch, "loss:", round(loss.item(), 4))
