import torch


class ResultBuffer:
    """Collects named tensors over the steps of an epoch."""

    def __init__(self):
        self.rows = {}

    def add(self, **tensors):
        for key, value in tensors.items():
            self.rows.setdefault(key, []).append(value.detach().cpu())

    def merge(self):
        out = {}
        for key, values in self.rows.items():
            out[key] = torch.cat(values)
        return out

    def clear(self):
        self.rows = {}
