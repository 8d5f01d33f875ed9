import zlib

import torch
from torch.utils.data import Dataset

MAX_TOKENS = 8
TICKETS = [
    ("server is down please help now", 1.0),
    ("how do i change my avatar", 0.0),
    ("all customers see an error since ten minutes", 1.0),
    ("thanks", 0.0),
    ("cannot log in at all", 1.0),
    ("question about the invoice of last month", 0.0),
    ("data loss in production", 1.0),
    ("feature wish", 0.0),
]


class SupportTickets(Dataset):
    def __len__(self):
        return len(TICKETS)

    def __getitem__(self, i):
        text, urgent = TICKETS[i]
        ids = [1 + zlib.crc32(w.encode()) % 63 for w in text.split()][:MAX_TOKENS]
        ids += [0] * (MAX_TOKENS - len(ids))
        return torch.tensor(ids), torch.tensor(urgent)
