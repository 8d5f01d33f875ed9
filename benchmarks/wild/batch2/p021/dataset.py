import torch
from torch.utils.data import Dataset


class FacesDataset(Dataset):
    """synthetic stand-in for CelebA, center cropped to patch_size"""

    def __init__(self, n_images, patch_size):
        g = torch.Generator().manual_seed(5)
        raw = torch.rand(n_images, 3, 40, 40, generator=g) * 2 - 1
        off = (40 - patch_size) // 2
        self.images = raw[:, :, off:off + patch_size, off:off + patch_size]

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.images[i]
