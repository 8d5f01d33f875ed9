import torch


def shape_batches(n, size, side):
    g = torch.Generator().manual_seed(2)
    images = 0.2 * torch.randn(n, 3, side, side, generator=g)
    centre = torch.randint(8, side - 8, (n, 2), generator=g)
    extent = torch.randint(3, 8, (n, 2), generator=g)
    boxes = torch.cat([centre - extent, centre + extent], dim=1).float()
    for i, (x1, y1, x2, y2) in enumerate(boxes.long().tolist()):
        images[i, :, y1:y2, x1:x2] += 1
    for i in range(0, n, size):
        yield images[i:i + size], boxes[i:i + size]
