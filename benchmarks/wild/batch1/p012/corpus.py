import torch

TEXT = (
    "the quick brown fox jumps over the lazy dog. "
    "pack my box with five dozen liquor jugs. "
    "how vexingly quick daft zebras jump. "
) * 4


class CharCorpus:
    def __init__(self):
        self.chars = sorted(set(TEXT))
        self.vocab_size = len(self.chars)
        stoi = {c: i for i, c in enumerate(self.chars)}
        self.data = torch.tensor([stoi[c] for c in TEXT])
