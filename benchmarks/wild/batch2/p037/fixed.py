import torch
from torch.utils.data import DataLoader

from fixed_config import TASKS, get_args
from data import MultiTaskDataset
from losses import MultiTaskLoss, task_loss
from model import SharedBackbone


def run_epoch(model, mtl, loader, optimizer):
    model.train()
    mtl.train()
    sums = torch.zeros(len(TASKS))
    for x, targets in loader:
        outputs = model(x)
        losses = torch.stack([task_loss(task, outputs[task["name"]], targets[task["name"]]) for task in TASKS])
        multitaskloss = mtl(losses)
        optimizer.zero_grad()
        multitaskloss.backward()
        optimizer.step()
        sums += losses.detach()
    return sums / len(loader)


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    loader = DataLoader(MultiTaskDataset(args.n_samples, args.n_features), batch_size=args.batch_size)
    model = SharedBackbone(args.n_features, args.hidden, TASKS)
    is_regression = torch.tensor([task["kind"] == "regression" for task in TASKS])
    mtl = MultiTaskLoss(is_regression, reduction=args.reduction)
    optimizer = torch.optim.Adam([*model.parameters(), *mtl.parameters()], lr=args.lr)
    for epoch in range(args.epochs):
        means = run_epoch(model, mtl, loader, optimizer)
        text = " ".join("%s %.4f" % (task["name"], v) for task, v in zip(TASKS, means.tolist()))
        print("epoch %d %s" % (epoch, text))
    print("log vars", " ".join("%.4f" % v for v in mtl.log_vars.tolist()))


if __name__ == "__main__":
    main()
