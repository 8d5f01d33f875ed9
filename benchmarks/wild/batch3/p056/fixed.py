import argparse
import os
import tempfile

import torch

from fixed_extract import evaluate
from people import write_people
from training import train


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--name", default="ft_net")
    parser.add_argument("--persons", type=int, default=9)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--linear_num", type=int, default=24)
    args = parser.parse_args()
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as root:
        write_people(os.path.join(root, "train"), range(args.persons), 5, seed=1)
        write_people(os.path.join(root, "query"), range(50, 58), 1, seed=2)
        write_people(os.path.join(root, "gallery"), range(50, 58), 3, seed=3)
        model_dir = os.path.join(root, "model", args.name)
        train(os.path.join(root, "train"), model_dir, args.linear_num, args.epochs)
        print("rank-1 %.4f" % evaluate(root, model_dir))


if __name__ == "__main__":
    main()
