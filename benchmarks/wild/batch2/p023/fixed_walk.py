import torch
import torch.nn as nn


def knn(x, k):
    """x: (B, 3, N) -> (B, N, k)"""
    dist = torch.cdist(x.transpose(1, 2), x.transpose(1, 2))
    return dist.topk(k + 1, largest=False)[1][:, :, 1:]


def gather_points(feature, index):
    """feature: (B, C, N), index: (B, M) -> (B, C, M)"""
    b, c, _ = feature.shape
    return feature.gather(2, index.unsqueeze(1).expand(b, c, index.shape[1]))


class CurveGrouping(nn.Module):
    """Walk along the k-nn graph, always to the neighbour with the best score."""

    def __init__(self, channels, k, curve_num, curve_length):
        super().__init__()
        self.k, self.curve_num, self.curve_length = k, curve_num, curve_length
        self.att = nn.Conv1d(channels, 1, 1, bias=False)
        self.agent = nn.Conv1d(channels, 1, 1)

    def forward(self, x, xyz):
        idx = knn(xyz, self.k)
        att = torch.sigmoid(self.att(x))
        x = x * att
        # start points of the curves
        _, start_index = torch.topk(att, self.curve_num, dim=2, sorted=True)
        current = start_index.squeeze(1)

        score = self.agent(x).squeeze(1)
        steps = []
        for _ in range(self.curve_length):
            steps.append(gather_points(x, current))
            neighbours = idx.gather(1, current.unsqueeze(-1).expand(-1, -1, self.k))
            b, m, k = neighbours.shape
            scores = score.gather(1, neighbours.reshape(b, -1)).view(b, m, k)
            best = scores.argmax(-1, keepdim=True)
            current = neighbours.gather(2, best).squeeze(2)
        return torch.stack(steps, dim=-1)
