import torch


class SentimentReward:
    """share of 'positive' tokens in the response"""

    def __init__(self, positive):
        self.positive = torch.tensor(list(positive))

    def __call__(self, response):
        return torch.isin(response, self.positive).float().mean(1)
