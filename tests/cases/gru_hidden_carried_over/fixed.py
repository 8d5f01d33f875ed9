import torch
import torch.nn as nn
import torch.nn.functional as F

CHORDS = 16
torch.manual_seed(1)


class ChordModel(nn.Module):
    def __init__(self, hidden=18):
        super().__init__()
        self.table = nn.Embedding(CHORDS, hidden)
        self.gru = nn.GRU(hidden, hidden, num_layers=2, batch_first=True)
        self.head = nn.Linear(hidden, CHORDS)

    def forward(self, bars, state=None):
        out, state = self.gru(self.table(bars), state)
        return self.head(out), state


def bars_of(song, width=5):
    n = (len(song) - 1) // width
    x = song[:n * width].view(n, width)
    y = song[1:n * width + 1].view(n, width)
    return x, y


song = torch.randint(0, CHORDS, (258,))
x, y = bars_of(song)
model = ChordModel()
optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)

for epoch in range(3):
    state = None
    losses = []
    for xb, yb in zip(x.split(12), y.split(12)):
        if state is not None and state.size(1) != len(xb):
            state = None
        if state is not None:
            state = state.detach()
        logits, state = model(xb, state)
        loss = F.cross_entropy(logits.flatten(0, 1), yb.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(f"epoch {epoch}: {sum(losses) / len(losses):.4f}")
