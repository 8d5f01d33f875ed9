import torch


@torch.no_grad()
def polish(lm, matcher, images, captions, k, alpha, iterations):
    captions = captions.clone()
    batch = len(images)
    for _ in range(iterations):
        for pos in range(captions.size(1)):
            captions, best = update_token(lm, matcher, images, captions, pos, k, alpha, batch)
    return captions, best.mean().item()


def update_token(lm, matcher, images, captions, pos, k, alpha, batch):
    masked = captions.clone()
    masked[:, pos] = 1
    probs, words = lm(masked)[:, pos].softmax(dim=-1).topk(k, dim=-1)
    table = captions.repeat_interleave(k, dim=0)
    candidates = words.flatten()
    table[:, pos] = candidates
    match = matcher.score(images, table, k).softmax(dim=-1)
    total = alpha * probs + (1 - alpha) * match
    best, index = total.max(dim=-1)
    return table.view(batch, k, -1)[torch.arange(batch), index], best
