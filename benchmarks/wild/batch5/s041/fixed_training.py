import torch


class Trainer:
    def __init__(self, model, settings):
        self.model = model
        groups = []
        params = {"lr": settings.lr, "weight_decay": settings.weight_decay, "params": []}
        for name, p in model.named_parameters():
            if name.startswith(("emb", "encoder")):
                params["params"].append(p)
        groups.append(params)
        params = {"lr": settings.crf_lr, "weight_decay": settings.weight_decay, "params": []}
        for name, p in model.named_parameters():
            if name.startswith(("crf", "fc")):
                params["params"].append(p)
        groups.append(params)
        self.optimizer = torch.optim.AdamW(groups)

    def epoch(self, batches):
        total, n = 0.0, 0
        for words, tags in batches:
            loss = self.model(words, tags)
            self.model.zero_grad()
            loss.backward()
            self.optimizer.step()
            total, n = total + loss.item(), n + 1
        return total / n
