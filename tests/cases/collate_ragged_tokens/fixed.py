import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(3)
SENTENCES = [
    "the film was a delight from start to finish",
    "dull and far too long",
    "i would watch it again tomorrow",
    "the plot makes no sense at all",
    "brilliant acting",
    "a complete waste of an evening",
    "great soundtrack and great cast",
    "not worth the ticket",
]
LABELS = [1, 0, 1, 0, 1, 0, 1, 0]
WORDS = sorted({w for s in SENTENCES for w in s.split()})
STOI = {w: i + 1 for i, w in enumerate(WORDS)}


class ReviewDataset(Dataset):
    def __init__(self, sentences, labels):
        self.sentences = sentences
        self.labels = labels

    def __len__(self):
        return len(self.sentences)

    def __getitem__(self, idx):
        ids = torch.tensor([STOI[w] for w in self.sentences[idx].split()])
        return ids, self.labels[idx]


def pad_batch(batch):
    ids, labels = zip(*batch)
    return pad_sequence(ids, batch_first=True), torch.tensor(labels)


class BagOfWords(nn.Module):
    def __init__(self, vocab, dim=16, n_classes=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=0)
        self.fc = nn.Linear(dim, n_classes)

    def forward(self, ids):
        mask = (ids != 0).unsqueeze(-1)
        x = self.emb(ids) * mask
        return self.fc(x.sum(1) / mask.sum(1))


loader = DataLoader(ReviewDataset(SENTENCES, LABELS), batch_size=4, shuffle=True, collate_fn=pad_batch)
model = BagOfWords(len(STOI) + 1)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    running = 0.0
    for ids, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(ids), labels)
        loss.backward()
        optimizer.step()
        running += loss.item()
    print(f"epoch {epoch} loss {running / len(loader):.4f}")
