import argparse

import torch
from torch.utils.data import DataLoader

from datasets import SliceDataset
from image_encoder import ImageEncoderViT
from mask_decoder import MaskDecoder
from registry import get_preset
from utils import DiceLoss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vit_name", default="vit_t")
    parser.add_argument("--img_size", type=int, default=32, help="input patch size of network input")
    parser.add_argument("--num_classes", type=int, default=3)
    parser.add_argument("--max_epochs", type=int, default=2)
    parser.add_argument("--batch_size", type=int, default=4)
    parser.add_argument("--base_lr", type=float, default=0.005)
    parser.add_argument("--dice_param", type=float, default=0.8)
    args = parser.parse_args()

    torch.manual_seed(1234)
    preset = get_preset(args.vit_name)
    loader = DataLoader(SliceDataset(12, args.img_size, args.num_classes), batch_size=args.batch_size)
    encoder = ImageEncoderViT(**preset)
    decoder = MaskDecoder(preset["embed_dim"], preset["patch_size"], args.num_classes + 1)
    optimizer = torch.optim.AdamW([*encoder.parameters(), *decoder.parameters()], lr=args.base_lr)
    ce_loss = torch.nn.CrossEntropyLoss()
    dice_loss = DiceLoss(args.num_classes + 1)

    for epoch in range(args.max_epochs):
        total = 0.0
        for image, label in loader:
            logits = decoder(encoder(image))
            loss = (1 - args.dice_param) * ce_loss(logits, label) + args.dice_param * dice_loss(logits, label)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print("epoch %d : loss %.4f" % (epoch, total / len(loader)))


if __name__ == "__main__":
    main()
