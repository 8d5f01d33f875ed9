import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from config import TrainConfig
from lora import lora_state_dict, mark_only_lora_as_trainable
from sequence_model import DNAEncoder


def make_loader(cfg):
    g = torch.Generator().manual_seed(cfg.seed)
    bases = torch.randint(0, 4, (cfg.n_train, cfg.seq_len), generator=g)
    onehot = nn.functional.one_hot(bases, 4).float().transpose(1, 2)
    gc = ((bases == 1) | (bases == 2)).float().mean(1)
    return DataLoader(TensorDataset(onehot, gc), batch_size=cfg.batch_size)


def main():
    cfg = TrainConfig()
    torch.manual_seed(cfg.seed)
    loader = make_loader(cfg)
    model = DNAEncoder(cfg)
    mark_only_lora_as_trainable(model)
    trainable = [p for p in model.parameters() if p.requires_grad]
    print("trainable parameters:", sum(p.numel() for p in trainable))

    optimizer = torch.optim.AdamW(trainable, lr=cfg.lr)
    criterion = nn.MSELoss()
    for epoch in range(cfg.epochs):
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print("epoch %d loss %.4f" % (epoch, total / len(loader)))
    print("saved tensors:", len(lora_state_dict(model)))


if __name__ == "__main__":
    main()
