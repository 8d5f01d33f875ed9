import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

N_INTENTS = 5
IGNORE = 0


class CommandData(Dataset):
    """Word 2 + k opens a command of intent k; words over 30 are names, over 35 times."""

    def __init__(self, n, slots):
        g = torch.Generator().manual_seed(1)
        self.rows = []
        for _ in range(n):
            words = torch.randint(8, 40, (int(torch.randint(3, 9, (1,), generator=g)),), generator=g)
            intent = int(torch.randint(0, N_INTENTS, (1,), generator=g))
            words[0] = 2 + intent
            tags = torch.full_like(words, slots.index("O"))
            tags[words > 30] = slots.index("B-name")
            tags[words > 35] = slots.index("B-time")
            self.rows.append((words, intent, tags))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(rows):
    words, intents, tags = zip(*rows)
    ids = pad_sequence(words, batch_first=True)
    return {"input_ids": ids, "attention_mask": (ids != 0).long(),
            "intent_ids": torch.tensor(intents), "slot_ids": pad_sequence(tags, batch_first=True, padding_value=IGNORE)}
