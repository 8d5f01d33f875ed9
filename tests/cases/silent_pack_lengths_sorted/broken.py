import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader


def songs(n=54):
    g = torch.Generator().manual_seed(23)
    rows = []
    for i in range(n):
        notes = torch.randint(1, 13, (int(torch.randint(3, 12, (1,), generator=g)),), generator=g)
        notes[-1] = 13 + i % 3
        rows.append((notes, i % 3))
    return rows


def collate_songs(batch):
    notes = [n for n, _ in batch]
    genres = torch.tensor([y for _, y in batch])
    lengths = torch.tensor([len(n) for n in notes])
    lengths = lengths.sort(descending=True).values
    return pad_sequence(notes, batch_first=True), lengths, genres


class SongLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(16, 12, padding_idx=0)
        self.lstm = nn.LSTM(12, 24, batch_first=True)
        self.classify = nn.Linear(24, 3)

    def forward(self, notes, lengths):
        packed = pack_padded_sequence(self.embedding(notes), lengths, batch_first=True)
        _, (hidden, _) = self.lstm(packed)
        return self.classify(hidden[-1])


torch.manual_seed(23)
model = SongLSTM()
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
loader = DataLoader(songs(), batch_size=9, collate_fn=collate_songs)
for epoch in range(8):
    good = 0
    for notes, lengths, genres in loader:
        out = model(notes, lengths)
        loss = loss_fn(out, genres)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        good += (out.argmax(1) == genres).sum().item()
    if epoch % 2:
        print(f"epoch {epoch + 1} loss {loss.item():.4f} accuracy {good / 54:.3f}")
