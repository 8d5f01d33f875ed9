IGNORE_INDEX = -100

DATA = {
    "max_len": 40,
    "multiple_of": 4,
    "pad_values": {"input_ids": 0, "attention_mask": 0},
}

MODEL = {"dim": 32, "layers": 1}

TRAIN = {"seed": 2, "batch_size": 8, "lr": 3e-3}
