import argparse
from dataclasses import dataclass

import torch

from cells import simulate
from clustering import DeepCluster
from fixed_preprocess import normalize, read_dataset


@dataclass
class Config:
    n_cells: int = 96
    n_genes: int = 30
    n_clusters: int = 3
    latent: int = 6
    batch_size: int = 32
    sigma: float = 0.5
    lr: float = 2e-3
    pretrain_epochs: int = 3
    cluster_epochs: int = 2


def get_config():
    parser = argparse.ArgumentParser(description="clustering of single cells")
    for name, value in vars(Config()).items():
        parser.add_argument("--" + name, type=type(value), default=value)
    return Config(**vars(parser.parse_args()))


def main():
    cfg = get_config()
    torch.manual_seed(0)
    counts, labels = simulate(cfg.n_cells, cfg.n_genes, cfg.n_clusters)
    data = normalize(read_dataset(counts), filter_min_counts=True, size_factors=True, logtrans=True)
    model = DeepCluster(data.x.size(1), cfg.latent, cfg.n_clusters, cfg.sigma)
    for epoch, loss in enumerate(model.pretrain(data.x, cfg.batch_size, cfg.lr, cfg.pretrain_epochs)):
        print(f"pretrain {epoch} loss {loss:.4f}")
    for epoch, loss in enumerate(model.fit(data.x, cfg.batch_size, cfg.lr, cfg.cluster_epochs)):
        print(f"cluster {epoch} loss {loss:.4f}")


if __name__ == "__main__":
    main()
