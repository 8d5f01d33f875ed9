import torch
from torch.utils.data import DataLoader


def get_data(args):
    g = torch.Generator().manual_seed(9)
    images = torch.rand(12, args.channels, args.image_size, args.image_size, generator=g) * 2 - 1
    return DataLoader(images, batch_size=args.batch_size, shuffle=False)
