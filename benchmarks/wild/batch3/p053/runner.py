import torch
import torch.nn.functional as F


class Runner:
    def __init__(self, model, lr, weight_decay):
        self.model = model
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=weight_decay)

    def fit(self, loader):
        self.model.train()
        total = 0.0
        for pts, label in loader:
            loss = F.cross_entropy(self.model(pts), label)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item()
        return total / len(loader)

    @torch.no_grad()
    def test(self, loader):
        self.model.eval()
        hits = sum((self.model(p).argmax(1) == y).sum().item() for p, y in loader)
        return hits / len(loader.dataset)
