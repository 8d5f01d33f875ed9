import json
import os
import tempfile

import torch

from fixed_builder import build_model
from questions import QuestionData, write_squadlike
from loop import train_epoch

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    with open(os.path.join(HERE, "qg.json")) as f:
        cfg = json.load(f)
    torch.manual_seed(cfg["seed"])
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "train.json")
        write_squadlike(path, 40)
        data = QuestionData(path)
    model = build_model(cfg["model"], data.n_words)
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    for epoch in range(cfg["epochs"]):
        loss = train_epoch(model, data, opt, cfg["batch_size"])
        print("epoch", epoch, "nll", round(loss, 4))


if __name__ == "__main__":
    main()
