import torch.nn as nn


class GeneratorCNN(nn.Module):
    def __init__(self, input_channel, output_channel, conv_dims):
        super().__init__()
        layers, prev = [], input_channel
        for dim in conv_dims:
            layers += [nn.Conv2d(prev, dim, 4, 2, 1, bias=False), nn.BatchNorm2d(dim), nn.LeakyReLU(0.2)]
            prev = dim
        for dim in conv_dims[::-1][1:]:
            layers += [nn.ConvTranspose2d(prev, dim, 4, 2, 1, bias=False), nn.BatchNorm2d(dim), nn.ReLU()]
            prev = dim
        layers += [nn.ConvTranspose2d(prev, output_channel, 4, 2, 1, bias=False), nn.Tanh()]
        self.main = nn.Sequential(*layers)

    def forward(self, x):
        return self.main(x)


class DiscriminatorCNN(nn.Module):
    def __init__(self, input_channel, output_channel, hidden_dims):
        super().__init__()
        layers, prev = [], input_channel
        for i, dim in enumerate(hidden_dims):
            layers.append(nn.Conv2d(prev, dim, 4, 2, 1, bias=False))
            if i > 0:
                layers.append(nn.BatchNorm2d(dim))
            layers.append(nn.LeakyReLU(0.2))
            prev = dim
        layers += [nn.Conv2d(prev, output_channel, 4, 1, 0, bias=False), nn.Sigmoid()]
        self.main = nn.Sequential(*layers)

    def forward(self, x):
        return self.main(x).view(-1)
