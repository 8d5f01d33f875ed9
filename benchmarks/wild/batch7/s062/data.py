import torch


def caption_pairs(n, seed):
    g = torch.Generator().manual_seed(seed)
    mix = torch.Generator().manual_seed(77)
    a, b = torch.randn(6, 20, generator=mix), torch.randn(6, 14, generator=mix)
    topic = torch.randn(n, 6, generator=g)
    images = 3 + 2 * topic @ a + 0.5 * torch.randn(n, 20, generator=g)
    return images, topic @ b + 0.5 * torch.randn(n, 14, generator=g)
