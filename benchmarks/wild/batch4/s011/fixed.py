import torch
import torch.nn as nn
import torch.nn.functional as F


class LayerNormCell(nn.Module):
    def __init__(self, n_in, n_hid):
        super().__init__()
        self.x2h = nn.Linear(n_in, 2 * n_hid)
        self.h2h = nn.Linear(n_hid, 2 * n_hid, bias=False)
        self.ln = nn.LayerNorm(2 * n_hid)

    def forward(self, x, h):
        gate, cand = self.ln(self.x2h(x) + self.h2h(h)).chunk(2, dim=-1)
        gate = torch.sigmoid(gate)
        return gate * h + (1 - gate) * torch.tanh(cand)


class StackedClassifier(nn.Module):
    def __init__(self, n_in, n_hid, n_layers, n_classes):
        super().__init__()
        self.n_hid = n_hid
        self.cells = nn.ModuleList()
        for i in range(n_layers):
            self.cells.append(LayerNormCell(n_in if i == 0 else n_hid, n_hid))
        self.readout = nn.Linear(n_hid, n_classes)

    def forward(self, x):
        state = [x.new_zeros(x.size(0), self.n_hid) for _ in self.cells]
        for t in range(x.size(1)):
            inp = x[:, t]
            for i, cell in enumerate(self.cells):
                state[i] = cell(inp, state[i])
                inp = state[i]
        return self.readout(state[-1])


def get_batch(n, steps=10):
    x = torch.randn(n, steps, 4)
    y = (x[:, 1, 0] > 0).long() + 2 * (x[:, 4, 1] > 0).long()
    return x, y


def run():
    torch.manual_seed(7)
    model = StackedClassifier(4, 24, 2, 4)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for step in range(1, 61):
        x, y = get_batch(32)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            print("step %d loss %.4f" % (step, loss.item()))
    model.eval()
    with torch.no_grad():
        x, y = get_batch(256)
        acc = (model(x).argmax(1) == y).float().mean().item()
    print("accuracy %.4f, parameters %d" % (acc, sum(p.numel() for p in model.parameters())))


run()
