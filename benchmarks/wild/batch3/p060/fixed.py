import argparse
import os
import tempfile

import torch

from decoder import TinyDecoder
from fixed_generator import SequenceGenerator
from task import RhymeTask, write_rhymes


def get_parser():
    parser = argparse.ArgumentParser()
    parser.add_argument("--max-epoch", type=int, default=6)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--decoder-embed-dim", type=int, default=32)
    parser.add_argument("--beam", type=int, default=3)
    parser.add_argument("--max-len", type=int, default=6)
    return parser


def main():
    args = get_parser().parse_args()
    torch.manual_seed(12)
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "rhymes.txt")
        write_rhymes(path, 64)
        task = RhymeTask(path)
    model = TinyDecoder(len(task.symbols), args.decoder_embed_dim)
    for epoch, loss in enumerate(task.train(model, args)):
        if epoch % 2:
            print("epoch %d loss %.4f" % (epoch, loss))
    generator = SequenceGenerator(model, args.beam, args.max_len, task.eos)
    prompts = task.prompts([0, 1])
    for hyps in generator.generate(prompts):
        print(" | ".join("%s %.4f" % (task.string(h), s) for h, s in hyps))


if __name__ == "__main__":
    main()
