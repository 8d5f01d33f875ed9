import torch


def make_problems(n):
    """Add two digits; some problems only ask for an echo."""
    g = torch.Generator().manual_seed(3)
    a = torch.randint(0, 10, (n,), generator=g)
    b = torch.randint(0, 10, (n,), generator=g)
    kind = torch.arange(n) % 2
    total = torch.where(kind == 1, a + b, a)
    answer = torch.stack([total // 10, total % 10, (total * 3) % 10], dim=1)
    return torch.stack([a, b, kind], dim=1), answer


def score(completions, gold):
    digits = (completions == gold).float().mean(dim=1)
    return digits + (completions == gold).all(dim=1).float()
