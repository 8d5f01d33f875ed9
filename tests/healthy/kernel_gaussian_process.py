"""Exact Gaussian process regression by hand: RBF kernel matrices, marginal likelihood."""
import math

import torch


class GP(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.log_length = torch.nn.Parameter(torch.zeros(2))  # one scale for each feature
        self.log_signal = torch.nn.Parameter(torch.tensor(0.0))
        self.log_noise = torch.nn.Parameter(torch.tensor(-1.0))

    def kernel(self, a, b):
        a, b = a / self.log_length.exp(), b / self.log_length.exp()
        square = (a[:, None, :] - b[None, :, :]).pow(2).sum(dim=-1)
        return self.log_signal.exp() * torch.exp(-0.5 * square)

    def factor(self, x):
        noise = self.log_noise.exp() * torch.eye(len(x))
        return torch.linalg.cholesky(self.kernel(x, x) + noise + 1e-5 * torch.eye(len(x)))

    def negative_log_likelihood(self, x, y):
        chol = self.factor(x)
        alpha = torch.cholesky_solve(y.unsqueeze(1), chol).squeeze(1)
        return 0.5 * y @ alpha + chol.diagonal().log().sum() + 0.5 * len(y) * math.log(2 * math.pi)

    @torch.no_grad()
    def predict(self, x, y, new):
        chol = self.factor(x)
        cross = self.kernel(new, x)
        mean = cross @ torch.cholesky_solve(y[:, None], chol).squeeze(1)
        v = torch.linalg.solve_triangular(chol, cross.T, upper=False)
        return mean, self.kernel(new, new).diagonal() - (v * v).sum(dim=0)


torch.manual_seed(43)
x = torch.rand(24, 2) * 4
y = torch.sin(x[:, 0]) * torch.cos(x[:, 1]) + 0.05 * torch.randn(24)
gp = GP()
optimizer = torch.optim.Adam(gp.parameters(), lr=0.1)
for step in range(12):
    loss = gp.negative_log_likelihood(x, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
new = torch.rand(7, 2) * 4
mean, variance = gp.predict(x, y, new)
truth = torch.sin(new[:, 0]) * torch.cos(new[:, 1])
print(f"nll {loss.item():.3f} rmse {(mean - truth).pow(2).mean().sqrt():.3f} variance {variance.mean():.3f}")
