import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def pad_features(reviews, seq_length):
    features = np.zeros((len(reviews), seq_length), dtype=int)
    for i, row in enumerate(reviews):
        row = row[:seq_length]
        features[i, -len(row):] = row
    return features


def make_reviews(hp):
    rng = np.random.RandomState(hp.seed)
    reviews, labels = [], []
    for _ in range(hp.n_reviews):
        label = rng.randint(0, 2)
        words = rng.randint(1, hp.vocab_size // 2, size=rng.randint(4, 2 * hp.seq_length))
        reviews.append(words + label * (hp.vocab_size // 2 - 1))
        labels.append(label)
    return pad_features(reviews, hp.seq_length), np.array(labels)


def get_loaders(hp):
    features, labels = make_reviews(hp)
    split = int(len(features) * hp.split_frac)
    train = TensorDataset(torch.from_numpy(features[:split]), torch.from_numpy(labels[:split]))
    valid = TensorDataset(torch.from_numpy(features[split:]), torch.from_numpy(labels[split:]))
    return DataLoader(train, batch_size=hp.batch_size), DataLoader(valid, batch_size=hp.batch_size)
