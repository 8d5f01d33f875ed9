import torch.nn.functional as F


def heat_map(model, x, v):
    """Pixel and feature distances between a picture and its restoration, (B, 1, H, W)."""
    restored, z = model(x)
    _, z_restored = model(restored)
    pixel = (x - restored).abs().mean(dim=1, keepdim=True)
    feature = 1 - F.cosine_similarity(z, z_restored, dim=1).unsqueeze(1)
    feature = F.interpolate(feature, size=x.shape[-2:], mode="bilinear")
    scale = feature.amax(dim=(1, 2, 3), keepdim=True) / pixel.amax(dim=(1, 2, 3), keepdim=True)
    return feature + v * scale * pixel
