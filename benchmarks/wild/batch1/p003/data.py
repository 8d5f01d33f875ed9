import torch
from torch.utils.data import Dataset


def augment(image):
    if torch.rand(1).item() < 0.5:
        image = image.flip(-1)
    shift = torch.randint(-3, 4, (2,)).tolist()
    image = torch.roll(image, shift, dims=(1, 2))
    return image + 0.05 * torch.randn_like(image)


class ContrastiveDataset(Dataset):
    """Returns n_views augmentations of the same image."""

    def __init__(self, n_images, n_views, size=24):
        g = torch.Generator().manual_seed(3)
        self.images = torch.rand(n_images, 3, size, size, generator=g)
        self.n_views = n_views

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return [augment(self.images[i]) for _ in range(self.n_views)], 0
