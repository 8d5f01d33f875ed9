import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

PAD, EOS = 0, 1


class SummaryData(Dataset):
    """The headline is made of the rare words of the text, in order."""

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.rows = []
        for _ in range(n):
            text = torch.randint(2, 32, (int(torch.randint(5, 24, (1,), generator=g)),), generator=g)
            self.rows.append((text, torch.cat([text[text > 24], torch.tensor([EOS])])))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(rows):
    texts, heads = zip(*rows)
    input_ids = pad_sequence(texts, batch_first=True, padding_value=PAD)
    labels = pad_sequence(heads, batch_first=True, padding_value=PAD)
    return {"input_ids": input_ids, "attention_mask": input_ids != PAD, "labels": labels}
