import torch
from torch.utils.data import DataLoader

from config import DistillConfig
from data import PairDataset
from distill import DistillationLoss
from models import build_student, build_teacher


def pretrain_teacher(teacher, loader, cfg):
    optimizer = torch.optim.Adam(teacher.parameters(), lr=cfg.lr)
    for ids, labels in loader:
        logits, _ = teacher(ids)
        loss = torch.nn.functional.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("teacher loss %.4f" % loss.item())
    return teacher.eval()


def main():
    cfg = DistillConfig()
    torch.manual_seed(cfg.seed)
    loader = DataLoader(PairDataset(48, cfg), batch_size=cfg.batch_size)
    teacher = pretrain_teacher(build_teacher(cfg), loader, cfg)
    student = build_student(cfg)
    criterion = DistillationLoss(cfg)
    params = list(student.parameters()) + list(criterion.parameters())
    optimizer = torch.optim.Adam(params, lr=cfg.lr)

    for epoch in range(cfg.epochs):
        sums = {}
        for ids, labels in loader:
            with torch.no_grad():
                t_logits, t_hidden = teacher(ids)
            s_logits, s_hidden = student(ids)
            losses = criterion(s_logits, s_hidden, t_logits, t_hidden, labels)
            total = sum(losses.values())
            optimizer.zero_grad()
            total.backward()
            optimizer.step()
            for name, value in losses.items():
                sums[name] = sums.get(name, 0.0) + value.item() / len(loader)
        print("epoch %d " % epoch + " ".join("%s %.4f" % kv for kv in sums.items()))


if __name__ == "__main__":
    main()
