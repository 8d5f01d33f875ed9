import torch
from torch import nn


class Trainer:
    def __init__(self, model, settings):
        self.model, self.settings = model, settings
        self.criterion = nn.BCELoss()
        self.opt = torch.optim.Adam(model.parameters(), lr=settings.lr)

    def fit_epoch(self, loader):
        self.model.train()
        h = self.model.init_hidden(self.settings.batch_size)
        losses = []
        for x, y in loader:
            h = tuple(e.detach() for e in h)
            out, h = self.model(x, h)
            loss = self.criterion(out, y)
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 5)
            self.opt.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        h = self.model.init_hidden(self.settings.batch_size)
        losses = []
        for x, y in loader:
            out, h = self.model(x, h)
            losses.append(self.criterion(out, y).item())
        return sum(losses) / len(losses)
