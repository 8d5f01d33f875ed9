voc = {
    "num_classes": 4,      # 3 objects + background
    "image_size": 48,
    "feature_maps": [12, 6],
    "scales": [0.2, 0.45],
    "batch_size": 4,
    "lr": 1e-3,
    "epochs": 2,
}
