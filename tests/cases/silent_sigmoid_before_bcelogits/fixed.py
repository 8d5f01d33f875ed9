import torch
from torch import nn

torch.manual_seed(1)

questions = torch.rand(160, 12)
understood = (questions[:, :4].mean(dim=1, keepdim=True) > 0.5).float()

tutor = nn.Sequential(
    nn.Linear(12, 24),
    nn.ReLU(),
    nn.Linear(24, 1),
)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(tutor.parameters(), lr=0.01)


def epochs(count, batch_size=40):
    for number in range(count):
        order = torch.randperm(len(questions))
        losses = []
        for pick in order.split(batch_size):
            output = tutor(questions[pick])
            loss = criterion(output, understood[pick])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        yield number, sum(losses) / len(losses)


for number, loss in epochs(30):
    if number % 10 == 0:
        print(f"epoch {number:2d} loss {loss:.4f}")
