import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, loader, lr):
        self.model, self.loader = model, loader
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def epoch(self):
        total = 0.0
        for wave, face in self.loader:
            loss = F.mse_loss(self.model(wave), face)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item()
        return total / len(self.loader)
