import torch


def collapse(path, blank=0):
    out, last = [], blank
    for c in path:
        if c != last and c != blank:
            out.append(c)
        last = c
    return out


def greedy_decode(logp, n_frames):
    paths = logp.argmax(dim=-1)
    return [collapse(path[:n].tolist()) for path, n in zip(paths, n_frames)]


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        prev, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            prev, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, prev + (x != y))
    return row[-1]


def error_rate(texts, targets, n_targets):
    errors = sum(distance(t, g[:n].tolist()) for t, g, n in zip(texts, targets, n_targets))
    return errors / n_targets.sum().item()
