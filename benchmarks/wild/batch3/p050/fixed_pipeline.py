import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from fixed_folder import FolderDataset


def collate(items):
    return {
        "image": torch.stack([it["image"] for it in items]),
        "mask": torch.stack([it["mask"] for it in items]),
        "name": [it["name"] for it in items],
    }


def datasets(root, cfg):
    names = sorted(p.name for p in (root / "images").iterdir())
    n_val = int(len(names) * cfg.loader.val_share)
    for part, shuffle in ((names[n_val:], True), (names[:n_val], False)):
        yield DataLoader(FolderDataset(root, part), batch_size=cfg.loader.batch_size,
                         shuffle=shuffle, collate_fn=collate)


def run_epoch(net, loader, opt=None):
    total = 0.0
    for batch in loader:
        loss = F.binary_cross_entropy_with_logits(net(batch["image"]), batch["mask"])
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            opt.step()
        total += loss.item() * len(batch["name"])
    return total / len(loader.dataset)
