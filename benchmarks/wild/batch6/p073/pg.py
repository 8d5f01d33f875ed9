import torch

from lm import token_logps


def close_to_zero(tensor, mask, threshold=1e-8):
    near = (tensor.abs() < threshold) & mask
    return near.sum() / mask.sum()


def compute_pg_loss(policy, batch, kl_coefficient):
    advantages, ref = batch["advantages"], batch["ref_logps"]
    labels_mask = batch["labels"][..., 1:] != -100
    logps = token_logps(policy, batch["input_ids"], batch["labels"])
    log_ratio = ref - logps
    kl = (torch.exp(log_ratio) - log_ratio - 1) * labels_mask
    policy_loss = -(logps * advantages[..., 1:]) * labels_mask
    total = labels_mask.sum()
    loss = (policy_loss + kl_coefficient * kl).sum() / total
    with torch.no_grad():
        metrics = {
            "kl": kl.sum().item() / total.item(),
            "zero_advantages": close_to_zero(advantages, labels_mask).item(),
        }
    return loss, metrics
