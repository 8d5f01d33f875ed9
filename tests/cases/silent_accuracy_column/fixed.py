import torch
import torch.nn as nn

torch.manual_seed(90)
N_TRAIN, N_TEST = 80, 40

x = torch.randn(N_TRAIN + N_TEST, 4)
label = (x[:, :1] + x[:, 1:2] > 0).long() + (x[:, :1] > 1).long()

model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)


def accuracy(logits, target):
    predicted = logits.argmax(dim=1)
    return (predicted == target.flatten()).sum().item() / target.shape[0]


for epoch in range(5):
    for k in range(0, N_TRAIN, 20):
        out = model(x[k:k + 20])
        loss = criterion(out, label[k:k + 20].squeeze(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        test_accuracy = accuracy(model(x[N_TRAIN:]), label[N_TRAIN:])
    print(f"epoch {epoch}: loss {loss.item():.4f}, accuracy {test_accuracy:.3f}")
