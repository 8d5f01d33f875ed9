import torch
import torch.nn as nn
import torch.nn.functional as F


class LSTNet(nn.Module):
    def __init__(self, args, data):
        super().__init__()
        self.P, self.m = args.window, data.m
        self.hidR, self.hidC, self.hidS = args.hidRNN, args.hidCNN, args.hidSkip
        self.Ck = args.CNN_kernel
        self.skip = args.skip
        # number of whole periods in the convolution's output
        self.pt = self.P // self.skip
        self.hw = args.highway_window
        self.conv1 = nn.Conv2d(1, self.hidC, kernel_size=(self.Ck, self.m))
        self.GRU1 = nn.GRU(self.hidC, self.hidR)
        self.GRUskip = nn.GRU(self.hidC, self.hidS)
        self.linear1 = nn.Linear(self.hidR + self.skip * self.hidS, self.m)
        self.highway = nn.Linear(self.hw, 1)

    def forward(self, x):
        batch_size = x.size(0)
        # CNN
        c = F.relu(self.conv1(x.view(-1, 1, self.P, self.m)))
        c = torch.squeeze(c, 3)

        # RNN
        _, r = self.GRU1(c.permute(2, 0, 1).contiguous())
        r = torch.squeeze(r, 0)

        # skip-rnn
        s = c[:, :, -self.pt * self.skip:].contiguous()
        s = s.view(batch_size, self.hidC, self.pt, self.skip)
        s = s.permute(2, 0, 3, 1).contiguous()
        s = s.view(self.pt, batch_size * self.skip, self.hidC)
        _, s = self.GRUskip(s)
        s = s.view(batch_size, self.skip * self.hidS)
        res = self.linear1(torch.cat((r, s), 1))

        # highway
        z = x[:, -self.hw:, :].permute(0, 2, 1).contiguous().view(-1, self.hw)
        return res + self.highway(z).view(-1, self.m)
