import random

import torch
from torch.utils.data import Dataset


def load_interactions(n_sessions, catalog_size, seed):
    """list of sessions, each a list of item tokens like 'item_17'"""
    rng = random.Random(seed)
    sessions = []
    for _ in range(n_sessions):
        start, n = rng.randrange(catalog_size), rng.randint(3, 9)
        sessions.append(["item_%d" % ((start + 3 * k) % catalog_size) for k in range(n)])
    return sessions


class SessionDataset(Dataset):
    def __init__(self, sessions, max_len, token2id=None):
        self.max_len = max_len
        if token2id is None:
            tokens = sorted({t for session in sessions for t in session})
            # id 0 is [PAD]
            token2id = {t: i for i, t in enumerate(tokens, start=1)}
        self.token2id = token2id
        self.sessions = [[token2id[t] for t in session if t in token2id] for session in sessions]
        self.sessions = [s for s in self.sessions if len(s) > 1]

    @property
    def n_items(self):
        return len(self.token2id) + 1

    def __len__(self):
        return len(self.sessions)

    def __getitem__(self, i):
        *history, target = self.sessions[i]
        history = history[-self.max_len:]
        item_seq = torch.zeros(self.max_len, dtype=torch.long)
        item_seq[:len(history)] = torch.tensor(history)
        return {"item_id_list": item_seq, "item_length": len(history), "item_id": target}
