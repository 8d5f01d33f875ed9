import numpy as np
import torch
from torch.utils.data import Dataset


class CaptchaDataset(Dataset):
    """Fake captcha generator: every character paints a vertical stripe."""

    def __init__(self, cfg, size):
        rng = np.random.RandomState(7)
        self.cfg = cfg
        self.labels = rng.randint(1, cfg.n_classes, size=(size, cfg.n_len))
        self.noise = rng.rand(size, cfg.channels, cfg.height, cfg.width).astype(np.float32)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        image = torch.from_numpy(self.noise[i]).clone()
        label = torch.from_numpy(self.labels[i])
        step = self.cfg.width // self.cfg.n_len
        for k, c in enumerate(label.tolist()):
            image[:, :, k * step:(k + 1) * step] += c / self.cfg.n_classes
        input_length = torch.tensor(self.cfg.input_length)
        target_length = torch.tensor(len(label))
        return image, label, input_length, target_length


def collate(samples):
    images, labels, input_lengths, target_lengths = zip(*samples)
    return (torch.stack(images), torch.stack(labels),
            torch.stack(input_lengths), torch.stack(target_lengths))
