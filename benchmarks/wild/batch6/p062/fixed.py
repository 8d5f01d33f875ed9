import argparse
import json
import os

import torch
from torch.utils.data import DataLoader

from features import FeatureExtractor, train_epoch
from losses import make_loss
from project import Project
from records import BehaviourVideos

HERE = os.path.dirname(os.path.abspath(__file__))


def parse():
    p = argparse.ArgumentParser(description="behaviour from frames")
    p.add_argument("--project", default=os.path.join(HERE, "fixed_project.json"))
    p.add_argument("--frames", type=int, default=96)
    p.add_argument("--epochs", type=int, default=2)
    return p.parse_args()


def main():
    args = parse()
    with open(args.project) as f:
        project = Project(**json.load(f))
    torch.manual_seed(project.seed)
    data = BehaviourVideos(args.frames, project.frame_size)
    loader = DataLoader(data, batch_size=project.batch_size, shuffle=True)
    model = FeatureExtractor(project.frame_size, data.n_labels)
    criterion = make_loss(project)
    opt = torch.optim.Adam(model.parameters(), lr=project.lr)
    for epoch in range(args.epochs):
        print(f"epoch {epoch} loss {train_epoch(model, loader, criterion, opt):.4f}")


if __name__ == "__main__":
    main()
