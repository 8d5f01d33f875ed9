import os

import numpy as np
import torch


def write_people(folder, ids, per_person, seed):
    """folder/<id>/<k>.npy, 3 x 16 x 8 crops; a person is a colour for the top and one for the trousers."""
    rng = np.random.RandomState(seed)
    for pid in ids:
        own = np.random.RandomState(1000 + pid)
        top, legs = own.rand(3), own.rand(3)
        os.makedirs(os.path.join(folder, "%04d" % pid))
        for k in range(per_person):
            img = np.empty((3, 16, 8), np.float32)
            img[:, :8], img[:, 8:] = top[:, None, None], legs[:, None, None]
            img += 0.15 * rng.normal(size=img.shape)
            np.save(os.path.join(folder, "%04d" % pid, "%d.npy" % k), img)


def read_folder(folder):
    names = sorted(os.listdir(folder))
    images, labels = [], []
    for label, name in enumerate(names):
        for f in sorted(os.listdir(os.path.join(folder, name))):
            images.append(torch.from_numpy(np.load(os.path.join(folder, name, f))))
            labels.append(label)
    return torch.stack(images), torch.tensor(labels), names
