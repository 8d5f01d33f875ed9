import numpy as np
import torch
import torch.nn.functional as F

torch.manual_seed(1)
rs = np.random.RandomState(1)

N_CLASSES = 6
TEMPERATURE = 2.0

teacher = torch.nn.Linear(12, N_CLASSES)
student = torch.nn.Sequential(
    torch.nn.Linear(12, 24),
    torch.nn.GELU(),
    torch.nn.Linear(24, N_CLASSES),
)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)


def distill(x):
    """Hard-label distillation: the student copies the teacher's decision."""
    with torch.no_grad():
        hard = teacher(x).argmax(dim=1)
    logits = student(x)
    return F.cross_entropy(
        logits / TEMPERATURE,
        hard,
    )


for step in range(10):
    batch = torch.from_numpy(rs.standard_normal((20, 12)).astype("float32"))
    loss = distill(batch)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 3 == 0:
        print(step, "%.4f" % loss.item())
