import torch
from torch import nn

from labels import SYMPTOMS, encode

HIDDEN = 32
NUM_LABELS = len(SYMPTOMS)

torch.manual_seed(0)
notes = torch.randn(48, 20)
annotations = [
    [s for j, s in enumerate(SYMPTOMS) if notes[i, j] > 0.5]
    for i in range(len(notes))
]
targets = torch.stack([encode(a) for a in annotations])

model = nn.Sequential(
    nn.Linear(20, HIDDEN),
    nn.ReLU(),
    nn.Dropout(0.0),
    nn.Linear(HIDDEN, NUM_LABELS),
)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)

for epoch in range(4):
    perm = torch.arange(len(notes))
    for chunk in perm.split(12):
        logits = model(notes[chunk])
        loss = criterion(logits, targets[chunk])
        model.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch={epoch} loss={loss.item():.4f}")
