"""The formulas once more, on ragged lists of Python numbers, one element at a time."""

import math


def softmax_log(logits, temperature):
    scaled = [logit / temperature for logit in logits]
    top = max(scaled)
    total = math.log(sum(math.exp(value - top) for value in scaled)) + top
    return [value - total for value in scaled]


def entropy(logits, temperature):
    return -sum(math.exp(value) * value for value in softmax_log(logits, temperature))


def whitened(rows, shift_mean=True):
    flat = [value for row in rows for value in row]
    mean = sum(flat) / len(flat)
    if len(flat) < 2:
        return [[value - mean if shift_mean else value for value in row] for row in rows]
    scale = math.sqrt(sum((value - mean) ** 2 for value in flat) / (len(flat) - 1) + 1e-8)
    back = 0.0 if shift_mean else mean
    return [[(value - mean) / scale + back for value in row] for row in rows]


def rewards(scores, kls, coefficient):
    rows = [[-coefficient * value for value in row] for row in kls]
    for row, score in zip(rows, scores, strict=True):
        row[-1] += score
    return rows


def advantages(rewards_of_row, values, gamma, lam):
    """The definition: each delta to come, weighted, as a double sum."""
    steps = len(values)
    deltas = [
        rewards_of_row[t] + (gamma * values[t + 1] if t + 1 < steps else 0.0) - values[t]
        for t in range(steps)
    ]
    return [
        sum((gamma * lam) ** (later - t) * deltas[later] for later in range(t, steps))
        for t in range(steps)
    ]


def policy_loss(new, old, weights, clip):
    total, clipped = 0.0, 0
    for new_row, old_row, weight_row in zip(new, old, weights, strict=True):
        for after, before, weight in zip(new_row, old_row, weight_row, strict=True):
            ratio = math.exp(after) / math.exp(before)
            near = min(max(ratio, 1 - clip), 1 + clip)
            gain, safe = ratio * weight, near * weight
            total -= min(gain, safe)
            clipped += safe < gain
    return total, clipped


def value_loss(new, old, returns, clip):
    total, clipped = 0.0, 0
    for new_row, old_row, return_row in zip(new, old, returns, strict=True):
        for after, before, goal in zip(new_row, old_row, return_row, strict=True):
            near = min(max(after, before - clip), before + clip)
            plain, kept = (after - goal) ** 2, (near - goal) ** 2
            total += max(plain, kept) / 2
            clipped += kept > plain
    return total, clipped


def left_out(rewards_of_batch, groups):
    found = []
    for index, (reward, group) in enumerate(zip(rewards_of_batch, groups, strict=True)):
        others = [
            other
            for place, (other, its) in enumerate(zip(rewards_of_batch, groups, strict=True))
            if its == group and place != index
        ]
        found.append(reward - sum(others) / len(others) if others else 0.0)
    return found
