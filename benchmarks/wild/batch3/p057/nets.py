from torch import nn


def generator(input_nc, output_nc, ngf):
    return nn.Sequential(
        nn.Conv2d(input_nc, ngf, 3, padding=1), nn.InstanceNorm2d(ngf), nn.ReLU(),
        nn.Conv2d(ngf, ngf, 3, padding=1), nn.InstanceNorm2d(ngf), nn.ReLU(),
        nn.Conv2d(ngf, output_nc, 3, padding=1))


def discriminator(input_nc, ndf):
    return nn.Sequential(
        nn.Conv2d(input_nc, ndf, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
        nn.Conv2d(ndf, 2 * ndf, 4, stride=2, padding=1), nn.LeakyReLU(0.2),
        nn.Conv2d(2 * ndf, 1, 3, padding=1))
