import numpy as np
import torch

rng = np.random.default_rng(99)
torch.manual_seed(99)

# time, shoulder, elbow, wrist
stamps = np.arange(80, dtype=np.float32)[:, None] / 80
angles = np.sin(stamps * np.array([[3.0, 5.0, 7.0]], dtype=np.float32))
recording = np.concatenate([stamps, angles], axis=1)
emg = (angles @ rng.normal(size=(3, 8)) + 0.05 * rng.normal(size=(80, 8))).astype(np.float32)

signals = torch.from_numpy(emg)
poses = torch.from_numpy(recording)

W1 = torch.randn(8, 16).mul_(0.3).requires_grad_()
b1 = torch.zeros(16, requires_grad=True)
W2 = torch.randn(16, 3).mul_(0.3).requires_grad_()
b2 = torch.zeros(3, requires_grad=True)


def decode(x):
    return torch.tanh(x @ W1 + b1) @ W2 + b2


lr = 0.1
for epoch in range(30):
    predicted = decode(signals)
    loss = ((predicted - poses) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for p in (W1, b1, W2, b2):
            p -= lr * p.grad
            p.grad = None
    if epoch % 10 == 0:
        print(f"epoch {epoch:2d} mse {loss.item():.5f}")
