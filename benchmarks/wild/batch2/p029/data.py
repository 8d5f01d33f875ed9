import numpy as np
import torch

from vocabs import VOCABS


class WordRecognition:
    """word crops: every character is a column block whose brightness encodes its index"""

    def __init__(self, size, vocab, seed, length=5, height=16, width=40):
        self.vocab = VOCABS[vocab]
        rng = np.random.RandomState(seed)
        self.words = rng.randint(0, len(self.vocab), size=(size, length))
        self.height, self.width, self.length = height, width, length
        self.rng = rng

    def __len__(self):
        return len(self.words)

    def render(self, word):
        step = self.width // self.length
        image = np.zeros((1, self.height, self.width), dtype=np.float32)
        for k, c in enumerate(word):
            image[:, :, k * step:(k + 1) * step] = c / len(self.vocab)
        return image + 0.02 * self.rng.randn(1, self.height, self.width).astype(np.float32)

    def batch(self, ids):
        images = np.stack([self.render(self.words[i]) for i in ids])
        return torch.from_numpy(images).float(), torch.from_numpy(self.words[list(ids)])
