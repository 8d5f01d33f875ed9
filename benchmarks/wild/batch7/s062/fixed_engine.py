import torch


class Engine:
    def __init__(self, model, val, val_step):
        self.model, self.val, self.val_step = model, val, val_step
        self.opt = torch.optim.Adam(model.parameters(), lr=3e-3)
        self.steps, self.last_recall = 0, 0.0

    def train_epoch(self, data, batch):
        self.model.train()
        images, texts = data
        total = 0.0
        for rows in torch.randperm(len(images)).split(batch):
            loss = self.model(images[rows], texts[rows])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item() * len(rows)
            self.steps += 1
            if self.steps % self.val_step == 0:
                self.last_recall = self.validate()
        return total / len(images)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        sims = self.model.similarities(*self.val)
        self.model.train()
        return (sims.argmax(dim=1) == torch.arange(len(sims))).float().mean().item()
