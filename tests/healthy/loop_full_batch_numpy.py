import numpy as np
import torch
import torch.nn as nn

# Softmax regression, whole set at once, data from numpy; then minibatches by a permutation.
rng = np.random.default_rng(55)
X = rng.normal(size=(57, 4))
y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)

X_t = torch.tensor(X, dtype=torch.float32)
y_t = torch.tensor(y, dtype=torch.long)
torch.manual_seed(55)

model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for i in range(10):
    logits = model(X_t)
    loss = nn.functional.cross_entropy(logits, y_t)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"whole set {loss.item():.4f}")

batch_size = 16
for epoch in range(2):
    permutation = torch.randperm(X_t.size(0))
    for i in range(0, X_t.size(0), batch_size):
        indices = permutation[i:i + batch_size]
        logits = model(X_t[indices])
        log_prob = logits - logits.logsumexp(dim=1, keepdim=True)
        loss = -log_prob[torch.arange(len(indices)), y_t[indices]].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
prob = torch.softmax(model(X_t), dim=1).detach().numpy()
pred = prob.argmax(axis=1)
confusion = np.zeros((3, 3), dtype=int)
np.add.at(confusion, (y, pred), 1)
brier = ((prob - np.eye(3)[y]) ** 2).sum(axis=1).mean()
print(confusion.tolist(), round(float(brier), 3), "accuracy", round(float((pred == y).mean()), 3))
