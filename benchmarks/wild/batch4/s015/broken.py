import torch
from torch import nn
import torch.nn.functional as F


def newton_schulz(g, steps=5, eps=1e-7):
    """Approximate orthogonalisation of every matrix of a stack."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = g / g.norm(dim=(-2, -1)).clamp(min=eps)
    for _ in range(steps):
        gram = x @ x.transpose(-1, -2)
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x


class Muon(torch.optim.Optimizer):
    def __init__(self, params, lr=0.02, momentum=0.9):
        super().__init__(params, dict(lr=lr, momentum=momentum))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                buf = self.state[p].setdefault("momentum", torch.zeros_like(p))
                buf.mul_(group["momentum"]).add_(p.grad)
                p.add_(newton_schulz(buf), alpha=-group["lr"])


class Experts(nn.Module):
    def __init__(self, n_experts, d_in, d_out):
        super().__init__()
        self.gate = nn.Linear(d_in, n_experts)
        self.weight = nn.Parameter(torch.randn(n_experts, d_in, d_out) * d_in ** -0.5)

    def forward(self, x):
        mix = self.gate(x).softmax(-1)
        out = torch.einsum("bi,eio->beo", x, self.weight)
        return (mix.unsqueeze(-1) * out).sum(1)


torch.manual_seed(0)
model = Experts(n_experts=6, d_in=10, d_out=6)
teacher = torch.randn(10, 6)
muon = Muon([model.weight], lr=0.02)
adam = torch.optim.Adam(model.gate.parameters(), lr=1e-3)
for step in range(60):
    x = torch.randn(64, 10) * torch.linspace(0.2, 2.0, 10)
    y = torch.tanh(x @ teacher)
    loss = F.mse_loss(model(x), y)
    model.zero_grad()
    loss.backward()
    muon.step()
    adam.step()
    if step % 15 == 14:
        print("step", step + 1, "loss", round(loss.item(), 4))
update = newton_schulz(model.weight.grad)
gram = update.transpose(-1, -2) @ update
print("diagonal of the gram", round(gram.diagonal(dim1=-2, dim2=-1).mean().item(), 4))
