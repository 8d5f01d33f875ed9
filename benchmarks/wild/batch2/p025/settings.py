CFG = {
    "max_len": 16,
    "vocab_size": 90,
    "hidden_size": 32,
    "batch_size": 8,
    "lr": 2e-3,
    "epochs": 2,
    "seed": 13,
}

LABELS = ["other", "invoice_number", "date", "total", "supplier"]
