from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class CellData:
    raw: np.ndarray
    x: torch.Tensor = None
    factors: np.ndarray = None


def read_dataset(counts):
    return CellData(raw=counts)


def normalize(data, filter_min_counts, size_factors, logtrans):
    x = data.raw
    if filter_min_counts:
        x = x[:, x.sum(axis=0) >= 1]
    if size_factors:
        totals = x.sum(axis=1, dtype=np.float64)
        data.factors = totals / np.median(totals)
        x = x / data.factors[:, None]
    if logtrans:
        x = np.log1p(x)
    x = (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-6)
    data.x = torch.from_numpy(x)
    return data
