import torch
import torch.nn as nn
import torch.nn.functional as F


def task_loss(task, output, target):
    if task["kind"] == "regression":
        return F.mse_loss(output.squeeze(-1), target)
    return F.cross_entropy(output, target)


class MultiTaskLoss(nn.Module):
    """Weighs the tasks by their homoscedastic uncertainty (Kendall et al.)"""

    def __init__(self, is_regression, reduction="none"):
        super().__init__()
        self.register_buffer("is_regression", is_regression)
        self.log_vars = nn.Parameter(torch.zeros(len(is_regression)))
        self.reduction = reduction

    def forward(self, losses):
        stds = torch.exp(self.log_vars) ** 0.5
        coeffs = 1 / ((self.is_regression + 1) * stds ** 2)
        multi_task_losses = coeffs * losses + torch.log(stds)
        if self.reduction == "sum":
            return multi_task_losses.sum()
        if self.reduction == "mean":
            return multi_task_losses.mean()
        return multi_task_losses
