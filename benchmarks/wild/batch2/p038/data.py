import torch
from torch.utils.data import TensorDataset


def synthetic_digits(size, seed):
    g = torch.Generator().manual_seed(seed)
    labels = torch.arange(size) % 10
    prototypes = torch.rand(10, 1, 12, 12, generator=torch.Generator().manual_seed(0))
    images = prototypes[labels] + 0.3 * torch.randn(size, 1, 12, 12, generator=g)
    return TensorDataset(images, labels)


def split_clients(dataset, n):
    images, labels = dataset.tensors
    return [TensorDataset(images[i::n], labels[i::n]) for i in range(n)]
