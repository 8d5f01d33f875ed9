import numpy as np
import torch


def load_ratings(seed=1):
    """Columns userId, movieId, rating; ids as in the public files: with gaps, from 1."""
    rng = np.random.default_rng(seed)
    users = rng.choice(np.arange(1, 90), 40, replace=False)
    movies = rng.choice(np.arange(1, 400), 60, replace=False)
    taste, kind = rng.normal(size=(40, 3)), rng.normal(size=(60, 3))
    u, m = rng.integers(0, 40, 800), rng.integers(0, 60, 800)
    stars = np.clip(np.round(3 + (taste[u] * kind[m]).sum(1)), 1, 5)
    return {"userId": users[u], "movieId": movies[m], "rating": stars}


def renumber(ids):
    unique = np.unique(ids)
    table = {old: new for new, old in enumerate(unique)}
    return np.array([table[i] for i in ids]), len(unique)


def create_dataset(ratings):
    users, n_users = renumber(ratings["userId"])
    movies, n_movies = ratings["movieId"], len(np.unique(ratings["movieId"]))
    x = torch.from_numpy(np.stack([users, movies], axis=1))
    return (n_users, n_movies), x, torch.from_numpy(ratings["rating"]).float()
