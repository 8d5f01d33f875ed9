PRESETS = {
    "vit_t": dict(img_size=64, patch_size=8, embed_dim=24, depth=1, num_heads=2),
    "vit_s": dict(img_size=64, patch_size=8, embed_dim=48, depth=2, num_heads=4),
}


def get_preset(name):
    return dict(PRESETS[name])
