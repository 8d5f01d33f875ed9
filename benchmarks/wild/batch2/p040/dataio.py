import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset


class TrialDataset(Dataset):
    """pairs of utterances: 1 if they are of the same speaker"""

    def __init__(self, size, hparams, seed):
        self.size, self.n_mels, self.seed = size, hparams["n_mels"], seed

    def __len__(self):
        return self.size

    def __getitem__(self, i):
        rng = np.random.RandomState(1000 * self.seed + i)
        label = i % 2
        voice = rng.randn(self.n_mels)
        other = voice if label else rng.randn(self.n_mels)
        utterance = lambda v: torch.tensor(v + 0.3 * rng.randn(rng.randint(15, 40), self.n_mels), dtype=torch.float32)
        return {"enrol": utterance(voice), "test": utterance(other), "label": label}


def pad_batch(samples):
    batch = {}
    for key in ("enrol", "test"):
        batch[key] = pad_sequence([s[key] for s in samples], batch_first=True)
        batch[key + "_lens"] = torch.tensor([len(s[key]) for s in samples])
    batch["label"] = torch.tensor([s["label"] for s in samples])
    return batch
