import json
import os

import torch
import torch.nn.functional as F
from torch import nn

from network import FtNet
from people import read_folder

NUM_CLASSES = 31


def load_network(model_dir):
    with open(os.path.join(model_dir, "opts.json")) as f:
        opts = json.load(f)
    net = FtNet(NUM_CLASSES, opts["linear_num"])
    net.load_state_dict(torch.load(os.path.join(model_dir, "net_last.pth")))
    net.classifier.classifier = nn.Identity()
    return net.eval()


@torch.no_grad()
def evaluate(root, model_dir):
    net = load_network(model_dir)
    q, q_label, _ = read_folder(os.path.join(root, "query"))
    g, g_label, _ = read_folder(os.path.join(root, "gallery"))
    score = F.normalize(net(q), dim=1) @ F.normalize(net(g), dim=1).t()
    return (g_label[score.argmax(1)] == q_label).float().mean().item()
