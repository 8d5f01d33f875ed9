import torch


def expand_prompts(prompts, answers, n):
    """(P, ...) -> (P * n, ...)"""
    return prompts.repeat_interleave(n, dim=0), answers.repeat_interleave(n, dim=0)


def group_advantages(rewards, n):
    groups = rewards.view(-1, n)
    mean = groups.mean(dim=1, keepdim=True)
    std = groups.std(dim=1, keepdim=True)
    return ((groups - mean) / (std + 1e-4)).view(-1)
