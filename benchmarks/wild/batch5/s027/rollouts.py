import torch


def expand_prompts(prompts, answers, n):
    """(P, ...) -> (P * n, ...)"""
    return torch.cat([prompts] * n), torch.cat([answers] * n)


def group_advantages(rewards, n):
    groups = rewards.view(-1, n)
    mean = groups.mean(dim=1, keepdim=True)
    std = groups.std(dim=1, keepdim=True)
    return ((groups - mean) / (std + 1e-4)).view(-1)
