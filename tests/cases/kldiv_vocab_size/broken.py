import torch
import torch.nn as nn
import torch.nn.functional as F

TOPICS = 25


def build(widths):
    layers = []
    for n_in, n_out in zip(widths, widths[1:]):
        layers += [nn.Linear(n_in, n_out), nn.Tanh()]
    return nn.Sequential(*layers[:-1])


def kd_loss(student_logits, teacher_logits, T=3.0):
    log_p = F.log_softmax(student_logits / T, dim=1)
    q = F.softmax(teacher_logits / T, dim=1)
    return F.kl_div(log_p, q, reduction="batchmean") * T * T


torch.manual_seed(50)
teacher = build([30, 64, TOPICS])
student = build([30, 16, TOPICS - 1])
teacher.eval()
optimizer = torch.optim.Adam(student.parameters(), lr=5e-3)

documents = torch.randn(64, 30)
for epoch in range(4):
    for docs in documents.split(16):
        with torch.no_grad():
            soft = teacher(docs)
        loss = kd_loss(student(docs), soft)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch %d kd %.5f" % (epoch, loss.item()))
