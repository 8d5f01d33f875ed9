import torch
import torch.nn.functional as F


def accuracy(output, target, topk=(1,)):
    with torch.no_grad():
        _, pred = output.topk(max(topk), 1, True, True)
        correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
        return [correct[:k].reshape(-1).float().mean().item() * 100 for k in topk]


class SimCLR:
    def __init__(self, model, optimizer, scheduler, args):
        self.args = args
        self.model = model
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.criterion = torch.nn.CrossEntropyLoss()

    def info_nce_loss(self, features):
        labels = torch.cat([torch.arange(features.shape[0] // self.args.n_views) for _ in range(self.args.n_views)], dim=0)
        labels = (labels.unsqueeze(0) == labels.unsqueeze(1)).float()

        features = F.normalize(features, dim=1)
        similarity = features @ features.t()

        # discard the main diagonal from both
        diagonal = torch.eye(labels.shape[0], dtype=torch.bool)
        labels = labels[~diagonal].view(labels.shape[0], -1)
        similarity = similarity[~diagonal].view(similarity.shape[0], -1)

        positives = similarity[labels.bool()].view(labels.shape[0], -1)
        negatives = similarity[~labels.bool()].view(similarity.shape[0], -1)
        logits = torch.cat([positives, negatives], dim=1) / self.args.temperature
        return logits, torch.zeros(logits.shape[0], dtype=torch.long)

    def train(self, loader):
        for epoch in range(self.args.epochs):
            total, n = 0.0, 0
            for views, _ in loader:
                images = torch.cat(views, dim=0)
                logits, labels = self.info_nce_loss(self.model(images))
                loss = self.criterion(logits, labels)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                total, n = total + loss.item(), n + 1
            self.scheduler.step()
            top1, top5 = accuracy(logits, labels, topk=(1, 5))
            print(f"Epoch: {epoch}\tLoss: {total / n:.4f}\tTop1: {top1:.2f}\tTop5: {top5:.2f}")
