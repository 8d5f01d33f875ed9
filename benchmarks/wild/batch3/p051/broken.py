import argparse
import os
import tempfile

import torch

from hyparam import get_model_specific_params
from sessions import SessionReader, write_sessions
from suggester import Suggester


def add_args(parser):
    parser.add_argument("--model_type", default="SEQ2SEQ", choices=["SEQ2SEQ", "ACG", "HREDQS"])
    parser.add_argument("--batch_size", type=int, default=8)
    parser.add_argument("--num_epochs", type=int, default=2)
    parser.add_argument("--emsize", type=int, default=16)
    parser.add_argument("--learning_rate", type=float, default=0.01)
    return parser


def main():
    args = add_args(argparse.ArgumentParser()).parse_args()
    for key, value in get_model_specific_params(args.model_type).items():
        setattr(args, key, value)
    torch.manual_seed(1013)
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "sessions.txt")
        write_sessions(path, 48)
        reader = SessionReader(path)
    model = Suggester(len(reader.vocab), args)
    for epoch in range(args.num_epochs):
        losses = [model.update(src, tgt) for src, tgt in reader.batches(args.batch_size)]
        print("epoch %d loss %.4f" % (epoch, sum(losses) / len(losses)))
    src, _ = next(reader.batches(2))
    print("suggestions", model.suggest(src, 4).tolist())


if __name__ == "__main__":
    main()
