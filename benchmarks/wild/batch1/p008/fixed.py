import argparse
import logging

import torch
import torch.nn as nn

from ddpm import Diffusion
from fixed_modules import UNet
from utils import get_data

logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.ERROR)


def train(args):
    torch.manual_seed(args.seed)
    dataloader = get_data(args)
    model = UNet(c_in=args.channels, c_out=args.channels, time_dim=args.time_dim)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    mse = nn.MSELoss()
    diffusion = Diffusion(noise_steps=args.noise_steps, img_size=args.image_size)

    for epoch in range(args.epochs):
        logging.info(f"Starting epoch {epoch}:")
        running = 0.0
        for images in dataloader:
            t = diffusion.sample_timesteps(images.shape[0])
            x_t, noise = diffusion.noise_images(images, t)
            predicted_noise = model(x_t, t)
            loss = mse(noise, predicted_noise)

            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running += loss.item()
        print(f"epoch {epoch} MSE {running / len(dataloader):.4f}")

    sampled = diffusion.sample(model, n=2, channels=args.channels)
    print("sampled", tuple(sampled.shape))


def launch():
    parser = argparse.ArgumentParser()
    args = parser.parse_args()
    args.run_name = "DDPM_Unconditional"
    args.epochs = 2
    args.batch_size = 4
    args.image_size = 16
    args.channels = 3
    args.time_dim = 64
    args.noise_steps = 12
    args.lr = 3e-4
    args.seed = 0
    train(args)


if __name__ == "__main__":
    launch()
