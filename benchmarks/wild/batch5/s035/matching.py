import torch


def similarity(video, text):
    return text @ video.T


def ranking_loss(sims, margin):
    pos = sims.diag()
    rows = (margin + sims - pos[:, None]).clamp(min=0)
    cols = (margin + sims - pos[None, :]).clamp(min=0)
    off = ~torch.eye(len(sims), dtype=torch.bool)
    return rows[off].mean() + cols[off].mean()
