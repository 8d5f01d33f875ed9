import torch
import torch.nn as nn


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.objective = nn.CrossEntropyLoss(label_smoothing=0.05)
        self.optimiser = torch.optim.AdamW(model.parameters(), lr=lr)

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            running = 0.0
            for signal, label in loader:
                running += self.step(signal, label)
            print(f"[{epoch}] mean loss {running / len(loader):.4f}")

    def step(self, signal, label):
        self.optimiser.zero_grad()
        loss = self.objective(self.model(signal), label)
        loss.backward()
        self.optimiser.step()
        return loss.item()
