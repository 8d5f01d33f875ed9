from torch import nn


class ClassBlock(nn.Module):
    def __init__(self, input_dim, class_num, linear_num):
        super().__init__()
        self.add_block = nn.Sequential(nn.Linear(input_dim, linear_num), nn.BatchNorm1d(linear_num))
        self.classifier = nn.Linear(linear_num, class_num)

    def forward(self, x):
        return self.classifier(self.add_block(x))


class FtNet(nn.Module):
    def __init__(self, class_num=31, linear_num=24):
        super().__init__()
        self.model = nn.Sequential(nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.ReLU(),
                                   nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.ReLU(),
                                   nn.AdaptiveAvgPool2d((2, 1)), nn.Flatten())
        self.classifier = ClassBlock(64, class_num, linear_num)

    def forward(self, x):
        return self.classifier(self.model(x))
