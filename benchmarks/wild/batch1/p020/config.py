CONFIG = {
    "vocab_size": 80,
    "max_len": 14,
    "num_classes": 5,
    "embed_dim": 16,
    "hidden_size": 12,
    "attention_hops": 1,
    "n_train": 64,
    "n_val": 33,
    "batch_size": 16,
    "lr": 5e-3,
    "epochs": 2,
    "seed": 7,
}
