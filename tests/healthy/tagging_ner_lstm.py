import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader

# Named entities: two-way LSTM over packed words; padded tags are -100 and count nowhere.

IGNORE = -100
TAGS = ["O", "PER", "LOC"]


def corpus(n=36):
    torch.manual_seed(7)
    sentences = []
    for _ in range(n):
        length = torch.randint(3, 10, ()).item()
        words = torch.randint(1, 60, (length,))
        tags = torch.zeros(length, dtype=torch.long)
        tags[words > 50] = 2
        tags[words < 8] = 1
        sentences.append((words, tags))
    return sentences


def collate(batch):
    words, tags = zip(*batch)
    lengths = torch.tensor([len(w) for w in words])
    words = pad_sequence(words, batch_first=True)
    tags = pad_sequence(tags, batch_first=True, padding_value=IGNORE)
    return words, lengths, tags


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(60, 16, padding_idx=0)
        self.lstm = nn.LSTM(16, 12, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(24, len(TAGS))

    def forward(self, words, lengths):
        packed = pack_padded_sequence(self.embed(words), lengths, batch_first=True, enforce_sorted=False)
        out, _ = self.lstm(packed)
        out, _ = pad_packed_sequence(out, batch_first=True, total_length=words.shape[1])
        return self.head(self.drop(out))


def main():
    data = corpus()
    model = Tagger()
    weight = torch.tensor([0.5, 1.0, 1.0])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(2):
        for words, lengths, tags in DataLoader(data, batch_size=7, collate_fn=collate, shuffle=True):
            logits = model(words, lengths)
            loss = F.cross_entropy(logits.permute(0, 2, 1), tags, weight=weight, ignore_index=IGNORE)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    model.eval()
    good = total = 0
    for words, lengths, tags in DataLoader(data, batch_size=12, collate_fn=collate):
        with torch.no_grad():
            guess = model(words, lengths).argmax(dim=-1)
        known = tags != IGNORE
        good += (guess[known] == tags[known]).sum().item()
        total += known.sum().item()
    print(f"tag accuracy {good}/{total}")


main()
