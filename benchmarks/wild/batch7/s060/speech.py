import torch
from torch.nn.utils.rnn import pad_sequence


def load(n, seed):
    """Each of six sounds lasts two to four frames, with a pause in between."""
    g = torch.Generator().manual_seed(seed)
    voice = torch.randn(7, 8, generator=torch.Generator().manual_seed(50))
    rows = []
    for _ in range(n):
        text = torch.randint(1, 7, (int(torch.randint(2, 8, (1,), generator=g)),), generator=g)
        frames = []
        for c in text.tolist():
            frames += [c] * int(torch.randint(2, 5, (1,), generator=g)) + [0]
        feats = voice[torch.tensor(frames)] + 0.3 * torch.randn(len(frames), 8, generator=g)
        rows.append((feats, text))
    return rows


def pad_batch(rows):
    feats, texts = zip(*rows)
    lengths = torch.tensor([len(f) for f in feats]), torch.tensor([len(t) for t in texts])
    return pad_sequence(feats, batch_first=True), lengths[0], pad_sequence(texts, batch_first=True), lengths[1]
