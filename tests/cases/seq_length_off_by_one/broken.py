import torch
import torch.nn as nn
import torch.nn.functional as F


class MusicModel(nn.Module):
    """Predicts the next MIDI pitch."""

    def __init__(self, pitches=40, dim=32):
        super().__init__()
        self.note = nn.Embedding(pitches, dim)
        self.rnn = nn.GRU(dim, dim, num_layers=2, batch_first=True)
        self.next_note = nn.Linear(dim, pitches)

    def forward(self, notes):
        states, _ = self.rnn(self.note(notes))
        return self.next_note(states)


def random_walks(n, length, pitches=40):
    steps = torch.randint(-2, 3, (n, length))
    return (20 + steps.cumsum(dim=1)).clamp(0, pitches - 1)


def main():
    torch.manual_seed(3)
    tunes = random_walks(24, 12)
    model = MusicModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(4):
        epoch_loss = 0.0
        for tokens in tunes.split(4):
            targets = tokens[:, 1:]
            logits = model(tokens)
            loss = F.cross_entropy(
                logits.reshape(-1, logits.size(-1)),
                targets.reshape(-1),
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item()
        print("epoch", epoch, "loss", f"{epoch_loss / 6:.4f}")


main()
