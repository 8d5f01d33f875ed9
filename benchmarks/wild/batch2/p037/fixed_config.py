import argparse

TASKS = [
    {"name": "age", "kind": "regression", "out": 1},
    {"name": "income", "kind": "regression", "out": 1},
    {"name": "segment", "kind": "classification", "out": 4},
]


def get_args():
    parser = argparse.ArgumentParser(description="multi task learning with uncertainty weights")
    parser.add_argument("--n_samples", type=int, default=96)
    parser.add_argument("--n_features", type=int, default=10)
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--batch_size", type=int, default=24)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--reduction", default="mean", choices=["none", "mean", "sum"])
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()
