import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset


class ExpressionData(Dataset):
    """A phrase, candidate regions of a picture, and which one is meant."""

    def __init__(self, phrases, vocab, regions, dim):
        g = torch.Generator().manual_seed(4)
        self.rows = []
        for i, phrase in enumerate(phrases):
            ids = torch.tensor(vocab.encode(phrase), dtype=torch.long)
            boxes = torch.randn(regions, dim, generator=g)
            target = i % regions
            boxes[target, :3] += 2
            self.rows.append((ids, boxes, target))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(rows):
    ids, boxes, target = zip(*rows)
    lengths = torch.tensor([len(x) for x in ids])
    return pad_sequence(ids, batch_first=True), lengths, torch.stack(boxes), torch.tensor(target)
