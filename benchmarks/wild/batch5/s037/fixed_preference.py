import torch
import torch.nn.functional as F

from pairs import IGNORE


def sequence_logps(logits, labels):
    logp, target = torch.log_softmax(logits[:, :-1], dim=-1), labels[:, 1:]
    keep = target != IGNORE
    picked = logp.gather(-1, target.masked_fill(~keep, 0).unsqueeze(-1)).squeeze(-1)
    return (picked * keep).sum(dim=1)


def dpo_loss(logps, ref, beta):
    chosen, rejected = (logps - ref).chunk(2)
    gap = beta * (chosen - rejected)
    return -F.logsigmoid(gap).mean(), gap.mean().detach()
