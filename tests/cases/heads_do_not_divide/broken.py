import torch
from torch import nn

CONFIG = {
    "width": 20,
    "heads": 6,
    "window": 10,
    "lr": 2e-3,
}


class TemporalAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.h, self.d = heads, width // heads
        self.wq = nn.Linear(width, width)
        self.wk = nn.Linear(width, width)
        self.wv = nn.Linear(width, width)

    def split(self, x):
        b, t, _ = x.shape
        return x.view(b, t, self.h, self.d).transpose(1, 2)

    def forward(self, x):
        q, k, v = (self.split(w(x)) for w in (self.wq, self.wk, self.wv))
        out = nn.functional.scaled_dot_product_attention(q, k, v)
        return out.transpose(1, 2).flatten(2)


class LoadForecaster(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.lift = nn.Linear(1, config["width"])
        self.attn = TemporalAttention(config["width"], config["heads"])
        self.out = nn.Linear(config["width"], 1)

    def forward(self, x):
        h = self.lift(x)
        return self.out((h + self.attn(h))[:, -1])


torch.manual_seed(0)
load = torch.sin(torch.arange(200) / 5.0)
x = load.unfold(0, CONFIG["window"] + 1, 1)
model = LoadForecaster(CONFIG)
optimizer = torch.optim.Adam(model.parameters(), lr=CONFIG["lr"])
mse = nn.MSELoss()
for step in range(10):
    rows = x[torch.randint(0, len(x), (8,))]
    loss = mse(model(rows[:, :-1, None]), rows[:, -1:])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 3 == 0:
        print("step", step, "mse", f"{loss.item():.4f}")
