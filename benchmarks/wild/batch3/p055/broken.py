import logging
import sys
import tempfile
from pathlib import Path

import torch

from enhance import Enhancer
from options import Options
from pictures import PairFolder, save_pairs
from steps import fit, psnr

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
log = logging.getLogger("enhance")


def main():
    opt = Options.from_env()
    torch.manual_seed(opt.seed)
    with tempfile.TemporaryDirectory() as tmp:
        root = Path(tmp)
        save_pairs(root / "train", 10, opt.crop, opt.seed)
        save_pairs(root / "valid", 4, opt.crop, opt.seed + 1)
        train, valid = PairFolder(root / "train"), PairFolder(root / "valid")
        net = Enhancer(opt.channels, opt.blocks)
        for epoch, loss in enumerate(fit(net, train, opt)):
            log.info("epoch %d l1 %.4f psnr %.4f", epoch, loss, psnr(net, valid))


if __name__ == "__main__":
    main()
