import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
T = 4.0


class Teacher(nn.Module):
    def __init__(self, num_classes=12):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(30, 64), nn.ReLU(), nn.Linear(64, num_classes))

    def forward(self, x):
        return self.layers(x)


class Student(nn.Module):
    def __init__(self, num_classes=10):
        super().__init__()
        self.hidden = nn.Linear(30, 16)
        self.out = nn.Linear(16, num_classes)

    def forward(self, x):
        return self.out(F.relu(self.hidden(x)))


class DistillLoss(nn.Module):
    def __init__(self, temperature, alpha=0.7):
        super().__init__()
        self.t, self.alpha = temperature, alpha
        self.kl = nn.KLDivLoss(reduction="batchmean")

    def forward(self, student_logits, teacher_logits, labels):
        soft = self.kl(F.log_softmax(student_logits / self.t, dim=1), F.softmax(teacher_logits / self.t, dim=1))
        hard = F.cross_entropy(student_logits, labels)
        return self.alpha * self.t ** 2 * soft + (1 - self.alpha) * hard


x = torch.randn(60, 30)
y = torch.randint(0, 10, (60,))
teacher = Teacher().eval()
student = Student()
loss_fn = DistillLoss(T)
optimizer = torch.optim.SGD(student.parameters(), lr=0.05)
for epoch in range(2):
    total = 0.0
    for xb, yb in DataLoader(TensorDataset(x, y), batch_size=15):
        with torch.no_grad():
            t_logits = teacher(xb)
        loss = loss_fn(student(xb), t_logits, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch} distill loss {total:.4f}")
