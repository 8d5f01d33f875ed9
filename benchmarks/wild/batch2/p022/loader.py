import torch
from torch.utils.data import Dataset


class TwoCropsDataset(Dataset):
    """Take two random crops of one image as the query and key."""

    def __init__(self, n_images, size=28, crop=20):
        g = torch.Generator().manual_seed(17)
        self.images = torch.rand(n_images, 3, size, size, generator=g)
        self.size, self.crop = size, crop

    def random_crop(self, image):
        y, x = torch.randint(0, self.size - self.crop + 1, (2,)).tolist()
        return image[:, y:y + self.crop, x:x + self.crop]

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.random_crop(self.images[i]), self.random_crop(self.images[i])
