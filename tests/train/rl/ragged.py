"""Ragged rows of numbers, and their padded tensors with whatever stands behind the ends."""

import random

import torch

LENGTHS = (3, 1, 7, 4, 7, 2)


def rows_of(seed, scale=1.0, lengths=LENGTHS):
    chance = random.Random(seed)
    return [[chance.gauss(0.0, scale) for _ in range(length)] for length in lengths]


def padded(rows, *, behind=float("nan"), width=None):
    width = width or max(map(len, rows))
    return torch.tensor(
        [[*row, *[behind] * (width - len(row))] for row in rows], dtype=torch.float64
    )


def mask_of(rows, width=None):
    lengths_B = torch.tensor([len(row) for row in rows])
    return torch.arange(width or int(lengths_B.max())) < lengths_B.unsqueeze(1)


def unpadded(values_BR, rows):
    return [line[: len(row)].tolist() for line, row in zip(values_BR, rows, strict=True)]
