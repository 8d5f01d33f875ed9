import numpy as np
import torch
from torch.utils.data import Dataset


def read_series(n=160, channels=3):
    t = np.arange(n)
    waves = [np.sin(2 * np.pi * t / p) for p in (12, 24, 36)[:channels]]
    noise = np.random.RandomState(0).randn(n, channels) * 0.05
    values = np.stack(waves, 1) + noise
    marks = np.stack([t % 24 / 23.0 - 0.5, t // 24 % 7 / 6.0 - 0.5], 1)
    return values.astype(np.float32), marks.astype(np.float32)


class DatasetTrain(Dataset):
    def __init__(self, args):
        self.seq_len, self.label_len, self.pred_len = args.seq_len, args.label_len, args.pred_len
        self.data, self.stamp = read_series(channels=args.enc_in)

    def __len__(self):
        return len(self.data) - self.seq_len - self.pred_len + 1

    def __getitem__(self, index):
        s_end = index + self.seq_len
        r_begin = s_end - self.label_len
        r_end = s_end + self.pred_len
        return (self.data[index:s_end], self.data[r_begin:r_end],
                self.stamp[index:s_end], self.stamp[r_begin:r_end])


class DatasetPred(Dataset):
    """Only one window: the end of the series, the future is unknown."""

    def __init__(self, args):
        self.seq_len, self.label_len, self.pred_len = args.seq_len, args.label_len, args.pred_len
        values, marks = read_series(channels=args.enc_in)
        self.data, self.stamp = values[:-args.pred_len], marks

    def __len__(self):
        return 1

    def __getitem__(self, index):
        end = len(self.data)
        s_begin = end - self.seq_len
        r_begin = end - self.label_len
        r_end = end + self.pred_len
        return (self.data[s_begin:end], self.data[r_begin:end],
                self.stamp[s_begin:end], self.stamp[r_begin:r_end])
