import torch
import torch.nn as nn

torch.manual_seed(30)

N, BATCH = 33, 8
wells = torch.rand(N, 4)
yields = 3 * wells[:, 0] - wells[:, 1] * wells[:, 2]

net = nn.Sequential(
    nn.Linear(4, 32),
    nn.Softplus(),
    nn.Linear(32, 1),
)
mse = nn.MSELoss()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)

epoch = 0
while epoch < 3:
    first_of_batch = []
    cursor = 0
    while cursor < N:
        x = wells[cursor:cursor + BATCH]
        y = yields[cursor:cursor + BATCH]
        cursor += BATCH

        pred = net(x).squeeze(-1)
        first_of_batch.append(pred[0].item())
        loss = mse(pred, y)

        opt.zero_grad()
        loss.backward()
        opt.step()
    epoch += 1
    print(f"epoch {epoch} loss {loss.item():.4f} first predictions", len(first_of_batch))
