import torch
import torch.nn as nn
from torch.utils.data import DataLoader


class SupervisedTrainer:
    def __init__(self, batch_size, pad, lr):
        self.batch_size, self.pad, self.lr = batch_size, pad, lr
        self.criterion = nn.CrossEntropyLoss(ignore_index=pad)

    def _loss(self, model, batch):
        src, lengths, trg = batch
        logits = model(src, lengths, trg)
        return self.criterion(logits.flatten(0, 1), trg.flatten()), logits

    def train(self, model, data, num_epochs):
        optimizer = torch.optim.Adam(model.parameters(), lr=self.lr)
        loader = DataLoader(data, batch_size=self.batch_size)
        for epoch in range(1, num_epochs + 1):
            model.train()
            total = 0.0
            for batch in loader:
                loss, _ = self._loss(model, batch)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                total += loss.item()
            print("Finished epoch %d: Train loss %.4f" % (epoch, total / len(loader)))
        return model

    @torch.no_grad()
    def evaluate(self, model, data):
        model.eval()
        match = total = loss_sum = 0
        for batch in DataLoader(data, batch_size=self.batch_size):
            loss, logits = self._loss(model, batch)
            trg = batch[2]
            mask = trg != self.pad
            match += (logits.argmax(-1)[mask] == trg[mask]).sum().item()
            total += mask.sum().item()
            loss_sum += loss.item()
        return loss_sum, match / total
