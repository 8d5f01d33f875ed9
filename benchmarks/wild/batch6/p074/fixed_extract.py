import torch


@torch.no_grad()
def extract_features(backbone, loader, cfg):
    n = len(loader.dataset)
    features = torch.zeros(math_ceil(n, cfg.batch_size) * cfg.batch_size, cfg.feature_dim)
    labels = torch.zeros(len(features), dtype=torch.long)
    start = 0
    for images, target in loader:
        rows = slice(start, start + len(images))
        start = rows.stop
        features[rows] = backbone(images)
        labels[rows] = target
    return features[:n], labels[:n]


def math_ceil(n, size):
    return -(-n // size)
