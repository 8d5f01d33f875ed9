import json

import torch
import torch.nn.functional as F

from data import hand_like_images
from inferer import VQVAETransformerInferer
from transformer import DecoderOnlyTransformer
from vqvae import VQVAE


def train_vqvae(model, images, cfg):
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    for epoch in range(cfg["epochs"]):
        recon, quant_loss = model(images)
        recons_loss = F.l1_loss(recon, images)
        loss = recons_loss + quant_loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("vqvae recons_loss %.4f quantization_loss %.4f" % (recons_loss.item(), quant_loss.item()))


def train_transformer(model, inferer, vqvae, images, cfg):
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    for epoch in range(cfg["epochs"]):
        logits, target = inferer(images, vqvae, model)
        loss = F.cross_entropy(logits.transpose(1, 2), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("transformer epoch %d ce_loss %.4f" % (epoch, loss.item()))


def main():
    with open("config.json") as f:
        cfg = json.load(f)
    torch.manual_seed(cfg["seed"])
    images = hand_like_images(cfg["n_images"], cfg["image_size"])
    vqvae = VQVAE(**cfg["vqvae"])
    train_vqvae(vqvae, images, cfg["stage1"])
    vqvae.eval()

    spatial_shape = vqvae.encode(images).shape[1:]
    transformer = DecoderOnlyTransformer(
        num_tokens=cfg["vqvae"]["num_embeddings"] + 1,
        max_seq_len=spatial_shape[0] * spatial_shape[1],
        **cfg["transformer"],
    )
    inferer = VQVAETransformerInferer(bos_token=cfg["vqvae"]["num_embeddings"])
    train_transformer(transformer, inferer, vqvae, images, cfg["stage2"])


if __name__ == "__main__":
    main()
