import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(26)
BATCH, CLASSES = 6, 6

unlabelled = torch.randn(60, 10)
class_counts = torch.tensor([50.0, 20.0, 15.0, 8.0, 5.0, 2.0])
prior = (class_counts / class_counts.sum()).unsqueeze(0)

model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, CLASSES))
divergence = nn.KLDivLoss(reduction="batchmean")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(10):
    for batch in unlabelled.split(BATCH):
        log_probs = F.log_softmax(model(batch), dim=1)
        target = prior.expand_as(log_probs)
        loss = divergence(log_probs, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} kl {loss.item():.4f}")

with torch.no_grad():
    mean_prediction = model(unlabelled).softmax(dim=1).mean(dim=0)
print("predicted shares", [round(p, 2) for p in mean_prediction.tolist()])
