import torch
import torch.nn.functional as F
from torch import nn

TEMPERATURE = 2.0


def mlp(width):
    return nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Linear(width, 5))


def distill(student_logits, teacher_logits):
    student = F.log_softmax(student_logits / TEMPERATURE, dim=-1)
    teacher = F.softmax(teacher_logits / TEMPERATURE, dim=-1)
    return F.kl_div(student, teacher, reduction="batchmean") * TEMPERATURE**2


def agreement(student, teacher, x):
    with torch.no_grad():
        return (student(x).argmax(-1) == teacher(x).argmax(-1)).float().mean().item()


torch.manual_seed(17)
teacher, student = mlp(64), mlp(12)
with torch.no_grad():
    for p in teacher.parameters():
        p.mul_(3.0)
teacher.requires_grad_(False)
optimizer = torch.optim.Adam(student.parameters(), lr=0.01)
x_test = torch.randn(64, 8)
for step in range(60):
    x = torch.randn(24, 8)
    loss = distill(student(x), teacher(x))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 19:
        print(f"step {step + 1} kl {loss.item():.4f} agreement {agreement(student, teacher, x_test):.3f}")
