import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader

torch.manual_seed(0)


def toy_corpus(n=30):
    g = torch.Generator().manual_seed(2)
    out = []
    for _ in range(n):
        words = torch.randint(1, 40, (int(torch.randint(3, 12, (1,), generator=g)),), generator=g)
        out.append((words, int(words[0] % 3)))
    return out


def collate_fn(samples):
    words, labels = zip(*samples)
    lengths = torch.tensor([len(w) for w in words])
    return pad_sequence(words, batch_first=True), lengths, torch.tensor(labels)


class PackedLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(40, 12, padding_idx=0)
        self.lstm = nn.LSTM(12, 16, batch_first=True)
        self.fc = nn.Linear(16, 3)

    def forward(self, words, lengths):
        packed = pack_padded_sequence(self.emb(words), lengths, batch_first=True, enforce_sorted=False)
        _, (h, _) = self.lstm(packed)
        return self.fc(h[-1])


model = PackedLSTM()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
loader = DataLoader(toy_corpus(), batch_size=6, collate_fn=collate_fn)
for epoch in range(2):
    for words, lengths, labels in loader:
        loss = nn.functional.cross_entropy(model(words, lengths), labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"epoch {epoch}: {loss.item():.4f}")
