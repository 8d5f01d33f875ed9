import torch
import torch.nn as nn


class ScaledShift(torch.autograd.Function):
    """y = x * gain + bias with a saturating gradient."""

    @staticmethod
    def forward(ctx, x, gain, bias):
        ctx.save_for_backward(x, gain)
        return x * gain + bias

    @staticmethod
    def backward(ctx, grad):
        x, gain = ctx.saved_tensors
        grad = grad.clamp(-1, 1)
        grad_gain = (grad * x).sum(dim=0)
        grad_bias = grad.sum(dim=0)
        return grad * gain, grad_gain, grad_bias


class Calibrator(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))

    def forward(self, x):
        return ScaledShift.apply(x, self.gain, self.bias)


torch.manual_seed(52)
readings = torch.randn(40, 6)
reference = readings * 1.7 + torch.linspace(-1, 1, 6)
calibrator = Calibrator(6)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(calibrator.parameters(), lr=0.5)

for epoch in range(4):
    for x, y in zip(readings.split(10), reference.split(10)):
        optimizer.zero_grad()
        loss = criterion(calibrator(x), y)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} mse {loss.item():.5f}")
