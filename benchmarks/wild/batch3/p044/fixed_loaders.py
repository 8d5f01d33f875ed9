import torch
from torch.utils.data import DataLoader, TensorDataset


def read(path):
    with open(path) as f:
        for line in f:
            label, text = line.rstrip("\n").split("\t")
            yield int(label), text.split()


def encode(rows, vocab, seq_len):
    x = torch.zeros(len(rows), seq_len, dtype=torch.long)
    for i, (_, words) in enumerate(rows):
        ids = [vocab.get(w, 1) for w in words][:seq_len]
        x[i, seq_len - len(ids):] = torch.tensor(ids)
    y = torch.tensor([float(label) for label, _ in rows])
    return TensorDataset(x, y)


def build_loaders(folder, settings):
    train, valid = list(read(folder / "train.tsv")), list(read(folder / "valid.tsv"))
    vocab = {"<pad>": 0, "<unk>": 1}
    for _, words in train:
        for w in words:
            vocab.setdefault(w, len(vocab))
    train_loader = DataLoader(encode(train, vocab, settings.seq_len), batch_size=settings.batch_size,
                              shuffle=True, drop_last=True)
    valid_loader = DataLoader(encode(valid, vocab, settings.seq_len), batch_size=settings.batch_size,
                              shuffle=False, drop_last=True)
    return vocab, train_loader, valid_loader
