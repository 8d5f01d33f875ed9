import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader

random.seed(0)
torch.manual_seed(0)

NAMES = {"en": "oliver harry jack smith jones taylor", "ja": "akira hiroshi yuki tanaka suzuki sato",
         "it": "giovanni luca marco rossi bianchi gallo"}
samples = [(name, k) for k, group in enumerate(NAMES.values()) for name in group.split()]
samples += [("alessandro"[:9], 2), ("shinichi", 1)]
random.shuffle(samples)


def collate(items):
    words = [torch.tensor([ord(c) - ord("a") + 1 for c in w]) for w, _ in items]
    lengths = torch.tensor([len(w) for w in words])
    return pad_sequence(words, batch_first=True), lengths, torch.tensor([k for _, k in items])


class NameRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(27, 8, padding_idx=0)
        self.rnn = nn.LSTM(8, 20, batch_first=True)
        self.out = nn.Linear(20, len(NAMES))

    def forward(self, words, lengths):
        packed = pack_padded_sequence(self.emb(words), lengths, batch_first=True, enforce_sorted=False)
        _, (h, _) = self.rnn(packed)
        return self.out(h[-1])


model = NameRNN()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for words, lengths, language in DataLoader(samples, batch_size=5, collate_fn=collate):
        loss = criterion(model(words, lengths), language)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, round(loss.item(), 4))
