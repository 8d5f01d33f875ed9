import argparse
from pathlib import Path

import torch
import yaml

from keypoints import KPDetector
from render import FrameMover
from reconstruction import train
from videos import MovingBlobs


def main():
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default=here / "vox-40.yaml", type=Path)
    opt = parser.parse_args()
    with open(opt.config) as f:
        config = yaml.safe_load(f)
    torch.manual_seed(config["train_params"]["seed"])

    common = config["model_params"]["common_params"]
    detector = KPDetector(**config["model_params"]["kp_detector_params"], **common)
    mover = FrameMover(**config["model_params"]["generator_params"], **common)
    dataset = MovingBlobs(**config["dataset_params"])
    for epoch, loss in enumerate(train(detector, mover, dataset, **config["train_params"])):
        print("epoch %d reconstruction %.4f" % (epoch, loss))


if __name__ == "__main__":
    main()
