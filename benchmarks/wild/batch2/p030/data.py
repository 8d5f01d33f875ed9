import torch


def hand_like_images(n, size):
    g = torch.Generator().manual_seed(21)
    images = torch.zeros(n, 1, size, size)
    for i in range(n):
        palm = torch.randint(4, size // 2, (2,), generator=g).tolist()
        images[i, 0, palm[0]:palm[0] + 8, palm[1]:palm[1] + 8] = 1.0
    return images + 0.05 * torch.rand(images.shape, generator=g)
