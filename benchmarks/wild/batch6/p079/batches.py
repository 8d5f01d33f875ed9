import torch


class ReviewsIterator:
    def __init__(self, x, y, batch_size):
        self.x, self.y, self.batch_size = x, y, batch_size

    def __iter__(self):
        for rows in torch.randperm(len(self.x)).split(self.batch_size):
            yield self.x[rows], self.y[rows]

    def __len__(self):
        return len(self.x)
