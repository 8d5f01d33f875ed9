import torch
import torch.nn as nn
import torch.nn.functional as F

from scnn import SCNN, AuthenticStream


class DBCNN(nn.Module):
    def __init__(self, c1=16, c2=12):
        super().__init__()
        self.c1, self.c2 = c1, c2
        self.features1 = AuthenticStream(c1)
        self.features2 = SCNN(c2)
        self.fc = nn.Linear(c1 * c2, 1)

    def forward(self, X):
        N = X.size(0)
        X1 = self.features1(X)
        X2 = self.features2(X)
        H, W = X1.size(2), X1.size(3)
        H2, W2 = X2.size(2), X2.size(3)
        # the two streams round odd sizes differently
        if (H != H2) | (W != W2):
            X2 = F.interpolate(X2, (H, W), mode="bilinear", align_corners=False)
        X1 = X1.view(N, self.c1, H * W)
        X2 = X2.view(N, self.c2, H * W)
        X = torch.bmm(X1, X2.transpose(1, 2)) / (H * W)  # bilinear pooling
        X = X.view(N, self.c1 * self.c2)
        X = F.normalize(torch.sqrt(X + 1e-8))
        return self.fc(X)
