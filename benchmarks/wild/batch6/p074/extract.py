import torch


@torch.no_grad()
def extract_features(backbone, loader, cfg):
    n = len(loader.dataset)
    features = torch.zeros(math_ceil(n, cfg.batch_size) * cfg.batch_size, cfg.feature_dim)
    labels = torch.zeros(len(features), dtype=torch.long)
    for i, (images, target) in enumerate(loader):
        rows = slice(i * cfg.batch_size, (i + 1) * cfg.batch_size)
        features[rows] = backbone(images)
        labels[rows] = target
    return features[:n], labels[:n]


def math_ceil(n, size):
    return -(-n // size)
