import torch
import torch.nn.functional as F


class Optim:
    def __init__(self, params, lr, clip):
        self.params = list(params)
        self.clip = clip
        self.optimizer = torch.optim.Adam(self.params, lr=lr)

    def step(self):
        torch.nn.utils.clip_grad_norm_(self.params, self.clip)
        self.optimizer.step()


def train_epoch(data, model, optim, batch_size):
    model.train()
    losses = []
    for x, y in data.get_batches("train", batch_size, shuffle=True):
        model.zero_grad()
        loss = F.l1_loss(model(x), y)
        loss.backward()
        optim.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


@torch.no_grad()
def evaluate(data, model, batch_size):
    model.eval()
    pairs = [(model(x), y) for x, y in data.get_batches("valid", batch_size, shuffle=False)]
    pred, true = (torch.cat(t) for t in zip(*pairs))
    return ((pred - true).pow(2).sum() / (true - true.mean()).pow(2).sum()).sqrt().item()
