import argparse
from dataclasses import asdict, dataclass

import torch

from batches import ReviewsIterator
from embeddings import EmbeddingNet
from fit import fit
from fixed_ratings import create_dataset, load_ratings


@dataclass
class Hparams:
    n_factors: int = 12
    hidden: int = 24
    embedding_dropout: float = 0.02
    batch_size: int = 64
    epochs: int = 3
    lr: float = 5e-3
    wd: float = 1e-5


def parse_args():
    parser = argparse.ArgumentParser(description="ratings with embeddings")
    for name, value in asdict(Hparams()).items():
        parser.add_argument("--" + name, type=type(value), default=value)
    return Hparams(**vars(parser.parse_args()))


def main():
    hp = parse_args()
    torch.manual_seed(0)
    (n_users, n_movies), x, y = create_dataset(load_ratings())
    minmax = (y.min().item(), y.max().item())
    net = EmbeddingNet(n_users, n_movies, hp.n_factors, hp.embedding_dropout, hp.hidden, minmax)
    print(f"{n_users} users {n_movies} movies")
    for epoch, loss in enumerate(fit(net, ReviewsIterator(x, y, hp.batch_size), hp)):
        print(f"epoch {epoch} loss {loss:.4f}")


if __name__ == "__main__":
    main()
