import torch
import torch.optim as optim
from torch.utils.data import DataLoader

from config import voc
from data import VOCToy, detection_collate
from multibox_loss import MultiBoxLoss
from ssd import build_ssd


def train():
    torch.manual_seed(0)
    cfg = voc
    dataset = VOCToy(cfg, length=12)
    loader = DataLoader(dataset, cfg["batch_size"], collate_fn=detection_collate)
    net = build_ssd(cfg)
    optimizer = optim.SGD(net.parameters(), lr=cfg["lr"], momentum=0.9)
    criterion = MultiBoxLoss(cfg["num_classes"], overlap_thresh=0.4, neg_pos=3)

    net.train()
    for epoch in range(cfg["epochs"]):
        loc_loss = conf_loss = 0.0
        for images, targets in loader:
            out = net(images)
            optimizer.zero_grad()
            loss_l, loss_c = criterion(out, targets)
            loss = loss_l + loss_c
            loss.backward()
            optimizer.step()
            loc_loss += loss_l.item()
            conf_loss += loss_c.item()
        print("epoch %d || loc %.4f || conf %.4f" % (epoch, loc_loss, conf_loss))


if __name__ == "__main__":
    train()
