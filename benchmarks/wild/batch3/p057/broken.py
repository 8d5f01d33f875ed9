import os
import tempfile

import torch
from torch.utils.data import DataLoader

from aligned import AlignedDataset, write_pairs
from gan import Pix2Pix
from base_options import TrainOptions


def main():
    opt = TrainOptions().parse()
    torch.manual_seed(opt.seed)
    with tempfile.TemporaryDirectory() as root:
        write_pairs(root, 12, opt.size, opt.label_nc)
        data = AlignedDataset(root, opt)
        loader = DataLoader(data, batch_size=opt.batch_size, shuffle=True)
        model = Pix2Pix(opt)
        for epoch in range(opt.niter):
            d = g = 0.0
            for label, image in loader:
                d_loss, g_loss = model.optimize(label, image)
                d, g = d + d_loss, g + g_loss
            print("epoch %d D %.4f G %.4f" % (epoch, d / len(loader), g / len(loader)))


if __name__ == "__main__":
    main()
