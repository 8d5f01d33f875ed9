import torch


@torch.no_grad()
def generate(model, prompt, n):
    logits, cache = model(prompt)
    out = []
    for _ in range(n):
        token = logits[:, -1].argmax(dim=-1, keepdim=True)
        out.append(token)
        logits, cache = model(token, cache)
    return torch.cat(out, dim=1)


@torch.no_grad()
def score_cached(model, ids, start):
    """Mean nll of the tokens after `start`, fed one by one."""
    logits, cache = model(ids[:, :start])
    total = 0.0
    for t in range(start, ids.size(1)):
        logp = torch.log_softmax(logits[:, -1], dim=-1)
        total -= logp.gather(1, ids[:, t:t + 1]).mean().item()
        logits, cache = model(ids[:, t:t + 1], cache)
    return total / (ids.size(1) - start)
