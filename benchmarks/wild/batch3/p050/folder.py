import numpy as np
from PIL import Image
from torch.utils.data import Dataset
import torch


def make_fake_folder(root, size, seed, n=24):
    """images/*.png and ground_truth/*.png; two annotators saved their masks each in their own way."""
    rng = np.random.RandomState(seed)
    for name in ("images", "ground_truth"):
        (root / name).mkdir()
    for i in range(n):
        img = rng.randint(90, 130, (size, size, 3)).astype(np.uint8)
        mask = np.zeros((size, size), np.uint8)
        y, x = rng.randint(2, size - 8, 2)
        img[y:y + 6, x:x + 6] = rng.randint(0, 60)
        mask[y:y + 6, x:x + 6] = 255
        Image.fromarray(img).save(root / "images" / f"{i:03d}.png")
        picture = Image.fromarray(mask)
        if i % 5 == 4:
            picture = picture.convert("RGB")
        picture.save(root / "ground_truth" / f"{i:03d}.png")


def read_image(path):
    array = np.asarray(Image.open(path).convert("RGB"), np.float32) / 255
    return torch.from_numpy(array.copy()).permute(2, 0, 1)


def read_mask(path):
    array = np.asarray(Image.open(path), np.float32) / 255
    mask = torch.from_numpy(array.copy())
    return mask if mask.ndim == 2 else mask.permute(2, 0, 1)


class FolderDataset(Dataset):
    def __init__(self, root, names):
        self.root, self.names = root, names

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        name = self.names[i]
        mask = read_mask(self.root / "ground_truth" / name)
        return {"image": read_image(self.root / "images" / name), "mask": mask, "name": name}
