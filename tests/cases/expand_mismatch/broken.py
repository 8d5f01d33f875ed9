import torch
import torch.nn as nn


class ConditionalDecoder(nn.Module):
    """Draws a curve of T points from a style vector."""

    def __init__(self, style=5, hidden=24, T=12):
        super().__init__()
        self.T = T
        self.gru = nn.GRU(style + 1, hidden, batch_first=True)
        self.point = nn.Linear(hidden, 1)

    def forward(self, style):
        b = style.size(0)
        clock = torch.linspace(0, 1, self.T).view(1, self.T, 1).expand(b, self.T, 1)
        styles = style.expand(b, self.T, style.size(-1))
        out, _ = self.gru(torch.cat([clock, styles], dim=-1))
        return self.point(out).squeeze(-1)


def curves(style, T=12):
    t = torch.linspace(0, 1, T)
    return style[:, :1] + style[:, 1:2] * t + style[:, 2:3] * torch.sin(6 * t)


def fit(decoder, steps, batch):
    optimizer = torch.optim.Adam(decoder.parameters(), lr=5e-3)
    mse = nn.MSELoss()
    for step in range(steps):
        style = torch.randn(batch, 5)
        loss = mse(decoder(style), curves(style))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 4 == 0:
            print(f"step {step:2d} mse {loss.item():.4f}")


torch.manual_seed(18)
fit(ConditionalDecoder(), steps=12, batch=6)
