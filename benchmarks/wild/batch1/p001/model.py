import torch.nn as nn


class CRNN(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        layers, c_in = [], cfg.channels
        for c_out in cfg.widths:
            layers += [
                nn.Conv2d(c_in, c_out, 3, padding=1, bias=False),
                nn.BatchNorm2d(c_out),
                nn.ReLU(inplace=True),
                nn.MaxPool2d(2),
            ]
            c_in = c_out
        self.cnn = nn.Sequential(*layers)
        self.rnn = nn.LSTM(c_in * (cfg.height // 2 ** len(cfg.widths)), cfg.hidden, bidirectional=True)
        self.fc = nn.Linear(2 * cfg.hidden, cfg.n_classes)

    def forward(self, x):
        x = self.cnn(x)
        b, c, h, w = x.shape
        x = x.reshape(b, c * h, w).permute(2, 0, 1)
        x, _ = self.rnn(x)
        return self.fc(x)
