import argparse

import torch
import torch.nn.functional as F

from denoiser import Denoiser
from fixed_gdf import GDF, CosineSchedule
from rings import rings


def main():
    p = argparse.ArgumentParser(description="continuous-time diffusion")
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--batch", type=int, default=32)
    args = p.parse_args()
    torch.manual_seed(0)
    data = rings(256)
    gdf, model = GDF(CosineSchedule()), Denoiser(2)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(args.epochs):
        total = 0.0
        for rows in torch.randperm(len(data)).split(args.batch):
            noised, noise, logsnr = gdf.diffuse(data[rows])
            loss = F.mse_loss(model(noised, logsnr), noise)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        print(f"epoch {epoch} loss {total / len(data):.4f}")
    with torch.no_grad():
        for t in (0.2, 0.5, 0.8):
            noised, noise, logsnr = gdf.diffuse(data, torch.full((len(data),), t))
            print(f"t {t} error {F.mse_loss(model(noised, logsnr), noise).item():.4f}")


if __name__ == "__main__":
    main()
