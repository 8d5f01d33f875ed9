import numpy as np
import torch
from PIL import Image
from torch.utils.data import Dataset


def save_pairs(folder, n, size, seed):
    """input/NN.png is a darkened export of the photo editor, output/NN.png the retouched picture."""
    rng = np.random.RandomState(seed)
    for side in ("input", "output"):
        (folder / side).mkdir(parents=True)
    for i in range(n):
        smooth = rng.rand(4, 4, 3)
        target = np.asarray(Image.fromarray((smooth * 255).astype(np.uint8)).resize((size, size)))
        dark = (target * rng.uniform(0.3, 0.6)).astype(np.uint8)
        alpha = np.full((size, size, 1), 255, np.uint8)
        Image.fromarray(np.concatenate([dark, alpha], 2)).save(folder / "input" / ("%02d.png" % i))
        Image.fromarray(target).save(folder / "output" / ("%02d.png" % i))


def load(path):
    picture = Image.open(path).convert("RGB")
    array = np.asarray(picture, np.float32) / 255.0
    return torch.from_numpy(array.transpose(2, 0, 1).copy())


class PairFolder(Dataset):
    def __init__(self, folder):
        self.names = sorted(p.name for p in (folder / "input").iterdir())
        self.inputs = [load(folder / "input" / n) for n in self.names]
        self.outputs = [load(folder / "output" / n) for n in self.names]

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        return self.inputs[i], self.outputs[i]
