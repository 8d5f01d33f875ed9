import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, n_in, n_hidden, n_out):
        super(Net, self).__init__()
        self.hidden = nn.Linear(n_in, n_hidden)
        self.output = nn.Linear(n_hidden, n_out)

    def forward(self, x):
        x = torch.sigmoid(self.hidden(x))
        return F.log_softmax(self.output(x), dim=1)


def spirals(n_per_arm, arms=3):
    radius = torch.linspace(0.1, 1, n_per_arm).repeat(arms)
    arm = torch.arange(arms).repeat_interleave(n_per_arm)
    angle = radius * 4 + arm * 2.1 + 0.1 * torch.randn(len(arm))
    return torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1), arm


torch.manual_seed(24)
points, arms = spirals(40)
net = Net(2, 32, 3)
loss_func = nn.NLLLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.05)

for t in range(100):
    out = net(points)
    loss = loss_func(out, arms)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if t % 25 == 24:
        accuracy = (out.argmax(dim=1) == arms).float().mean()
        print("Loss: %.4f, accuracy: %.2f" % (loss.item(), accuracy.item()))
