import torch
import torch.nn.functional as F


class WeightedBCE(torch.nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.register_buffer("weights", weights)

    def forward(self, logits, labels):
        weights = self.weights.expand(logits.shape)
        return F.binary_cross_entropy_with_logits(logits, labels, weight=weights)


def make_loss(project):
    return WeightedBCE(torch.tensor(project.class_weights))
