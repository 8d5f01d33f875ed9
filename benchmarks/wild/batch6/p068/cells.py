import numpy as np


def simulate(cells, genes, clusters):
    rng = np.random.default_rng(0)
    rate = rng.gamma(1.0, 2.0, (clusters, genes))
    labels = rng.integers(0, clusters, cells)
    depth = rng.uniform(0.5, 2.0, (cells, 1))
    return rng.poisson(rate[labels] * depth).astype(np.float32), labels
