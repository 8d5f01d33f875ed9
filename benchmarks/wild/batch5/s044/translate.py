import torch

from phrases import BOS


@torch.no_grad()
def greedy(model, src, length):
    model.eval()
    memory = model.encode(src)
    out = torch.full((len(src), 1), BOS)
    for _ in range(length):
        logits = model.decode(out, memory)[:, -1]
        out = torch.cat([out, logits.argmax(dim=-1, keepdim=True)], dim=1)
    return out[:, 1:]
