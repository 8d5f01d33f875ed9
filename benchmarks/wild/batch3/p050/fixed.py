import argparse
import tempfile
from pathlib import Path

import torch

from config import load
from fixed_folder import make_fake_folder
from module import DefectNet
from fixed_pipeline import datasets, run_epoch


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default=str(Path(__file__).with_name("defects.yaml")))
    parser.add_argument("--max-epochs", type=int, default=2)
    args = parser.parse_args()
    cfg = load(args.config)
    torch.manual_seed(cfg.seed)
    with tempfile.TemporaryDirectory() as root:
        make_fake_folder(Path(root), cfg.image.size, seed=cfg.seed)
        train, val = datasets(Path(root), cfg)
        net = DefectNet(cfg.model.width)
        opt = torch.optim.Adam(net.parameters(), lr=cfg.model.lr)
        for epoch in range(args.max_epochs):
            loss = run_epoch(net, train, opt)
            with torch.no_grad():
                held = run_epoch(net, val)
            print(f"epoch {epoch} train {loss:.4f} val {held:.4f}")


if __name__ == "__main__":
    main()
