import numpy as np


def plcc(a, b):
    return float(np.corrcoef(a, b)[0, 1])


def srocc(a, b):
    rank = lambda v: np.argsort(np.argsort(v))
    return plcc(rank(a), rank(b))
