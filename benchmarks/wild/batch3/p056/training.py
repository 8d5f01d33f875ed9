import json
import os

import torch
from torch import nn

from network import FtNet
from people import read_folder


def train(folder, model_dir, linear_num, epochs, lr=0.01):
    images, labels, names = read_folder(folder)
    opts = {"nclasses": len(names), "linear_num": linear_num, "stride": 2}
    model = FtNet(opts["nclasses"], linear_num)
    criterion = nn.CrossEntropyLoss()
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(epochs):
        for idx in torch.randperm(len(images)).split(15):
            loss = criterion(model(images[idx]), labels[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        print("epoch %d loss %.4f" % (epoch, loss.item()))
    os.makedirs(model_dir)
    torch.save(model.state_dict(), os.path.join(model_dir, "net_last.pth"))
    with open(os.path.join(model_dir, "opts.json"), "w") as f:
        json.dump(opts, f)
