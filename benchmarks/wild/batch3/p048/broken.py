import json
import os
import sys
import tempfile

import torch

from tagger import BiTagger
from treebank import Treebank, write_treebank
from fit import score, train

HERE = os.path.dirname(os.path.abspath(__file__))


def load_config(argv):
    path = argv[1] if len(argv) > 1 else os.path.join(HERE, "tagger.json")
    with open(path) as f:
        return json.load(f)


def main(argv):
    config = load_config(argv)
    torch.manual_seed(config["seed"])
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "train.conll")
        write_treebank(path, 64)
        bank = Treebank(path)
    model = BiTagger(len(bank.words), len(bank.tags), config["net"])
    history = train(model, bank, **config["training"])
    print("losses", [round(v, 4) for v in history])
    print("accuracy", round(score(model, bank, config["training"]["batch_size"]), 4))


if __name__ == "__main__":
    main(sys.argv)
