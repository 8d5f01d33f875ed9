import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

INTENTS = 3


def utterances(n=45):
    g = torch.Generator().manual_seed(64)
    made = []
    for i in range(n):
        length = int(torch.randint(2, 15, (1,), generator=g))
        words = torch.randint(1, 20, (length,), generator=g)
        words[-1] = 20 + i % INTENTS
        made.append((words, i % INTENTS))
    return made


def collate_fn(batch):
    words, intents = zip(*batch)
    lengths = torch.tensor([len(w) for w in words])
    return pad_sequence(words, batch_first=True), lengths, torch.tensor(intents)


class IntentLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(23, 12, padding_idx=0)
        self.lstm = nn.LSTM(12, 24, batch_first=True)
        self.fc = nn.Linear(24, INTENTS)

    def forward(self, words, lengths):
        out, _ = self.lstm(self.emb(words))
        return self.fc(out[torch.arange(len(words)), lengths - 1])


torch.manual_seed(64)
model = IntentLSTM()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
loader = DataLoader(utterances(), batch_size=9, collate_fn=collate_fn)
for epoch in range(8):
    total = 0.0
    for words, lengths, intent in loader:
        loss = criterion(model(words, lengths), intent)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    if epoch % 2 == 1:
        print(f"epoch {epoch + 1}: {total / len(loader):.4f}")
