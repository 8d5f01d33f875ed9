import argparse

import torch

from clips import ClipData
from matching import ranking_loss, similarity
from retrieval import VideoTextModel


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--margin", type=float, default=0.2)
    args = parser.parse_args()
    torch.manual_seed(0)
    data = ClipData(128)
    model = VideoTextModel(data.video_dim, data.text_dim, 24)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(args.epochs):
        total = 0.0
        for rows in torch.randperm(len(data)).split(args.batch):
            video, text = data.batch(rows)
            loss = ranking_loss(similarity(*model(video, text)), args.margin)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        print(f"epoch {epoch} loss {total / len(data):.4f}")
    with torch.no_grad():
        sims = similarity(*model(*data.batch(torch.arange(64))))
        print(f"mean similarity of pairs {sims.diag().mean().item():.4f}")


if __name__ == "__main__":
    main()
