import torch


class PadCollator:
    def __init__(self, pad_values, multiple_of=1):
        self.pad_values = pad_values
        self.multiple_of = multiple_of

    def __call__(self, rows):
        longest = max(len(r["input_ids"]) for r in rows)
        longest += -longest % self.multiple_of
        batch = {}
        for key in rows[0]:
            values = [r[key] for r in rows]
            if key in self.pad_values:
                values = [v + [self.pad_values[key]] * (longest - len(v)) for v in values]
            batch[key] = torch.tensor(values)
        return batch
