"""Knowledge distillation: softened teacher, KL divergence of log-probabilities, hard labels."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def net(width):
    return nn.Sequential(nn.Linear(10, width), nn.ReLU(), nn.Linear(width, 4))


class DistillationLoss(nn.Module):
    def __init__(self, temperature=3.0, alpha=0.7):
        super().__init__()
        self.temperature, self.alpha = temperature, alpha
        self.soft = nn.KLDivLoss(reduction="batchmean")
        self.hard = nn.CrossEntropyLoss()

    def forward(self, student, teacher, labels):
        t = self.temperature
        soft = self.soft((student / t).log_softmax(dim=1), (teacher / t).softmax(dim=1)) * t * t
        return self.alpha * soft + (1 - self.alpha) * self.hard(student, labels)


def fit(model, loader, loss_of, epochs=3):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(epochs):
        for x, y in loader:
            loss = loss_of(x, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return loss.item()


def accuracy(model, loader):
    with torch.no_grad():
        return sum((model(x).argmax(1) == y).sum().item() for x, y in loader) / len(loader.dataset)


torch.manual_seed(29)
y = torch.arange(63) % 4
x = torch.randn(4, 10)[y] + torch.randn(63, 10)
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
teacher, student = net(64), net(6)
fit(teacher, loader, lambda x, y: nn.functional.cross_entropy(teacher(x), y))
teacher.eval()
for p in teacher.parameters():
    p.requires_grad = False
criterion = DistillationLoss()


def distil(x, y):
    with torch.no_grad():
        wanted = teacher(x)
    return criterion(student(x), wanted, y)


final = fit(student, loader, distil)
print(f"loss {final:.3f} teacher {accuracy(teacher, loader):.2f} student {accuracy(student, loader):.2f}")
