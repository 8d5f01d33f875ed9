import argparse
import json
import pathlib

import torch

from agent import WorldModel
from frames import FrameWorld, ReplayStore
from options import merge

HERE = pathlib.Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--configs", default="defaults,toy")
    parser.add_argument("--steps", type=int, default=6)
    args = parser.parse_args()

    presets = json.loads((HERE / "fixed_presets.json").read_text())
    cfg = merge(presets, args.configs.split(","))
    torch.manual_seed(cfg["seed"])

    env = FrameWorld(cfg["size"], cfg["seed"])
    store = ReplayStore(capacity=40)
    for _ in range(40):
        store.add(*env.step())

    model = WorldModel(cfg)
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    for step in range(args.steps):
        frames, actions, following = store.sample(cfg["batch"])
        metrics = model.learn(frames, actions, following, opt)
        print("step", step, {k: round(v, 4) for k, v in metrics.items()})


if __name__ == "__main__":
    main()
