import torch
import torch.nn as nn


class HousePrice(nn.Module):
    """A photo of the front and five numbers about the house."""

    def __init__(self):
        super().__init__()
        self.photo_net = nn.Sequential(
            nn.Conv2d(3, 12, kernel_size=3, stride=2),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
        )
        self.numbers_net = nn.Sequential(nn.Linear(5, 5), nn.ReLU())
        self.price = nn.Linear(12 + 5, 1)

    def forward(self, photo, numbers):
        seen = self.photo_net(photo)
        told = self.numbers_net(numbers)
        joined = torch.cat((seen, told))
        return self.price(joined)


def listings(n, size=15):
    photo = torch.rand(n, 3, size, size)
    numbers = torch.randn(n, 5)
    price = numbers.sum(1, keepdim=True) + photo.mean(dim=(1, 2, 3)).unsqueeze(1)
    return photo, numbers, price


torch.manual_seed(55)
model = HousePrice()
loss_fn = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for step in range(8):
    photo, numbers, price = listings(14)
    loss = loss_fn(model(photo, numbers), price)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 2 == 0:
        print(f"step {step} loss {loss.item():.4f}")
