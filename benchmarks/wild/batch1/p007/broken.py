import torch
import torch.nn as nn

from config import get_config
from data_loader import get_loader
from models import DiscriminatorCNN, GeneratorCNN


class Trainer:
    def __init__(self, config, a_loader, b_loader):
        self.config = config
        self.a_loader, self.b_loader = a_loader, b_loader
        dims = config.hidden_dims
        self.G_AB = GeneratorCNN(3, 3, dims)
        self.G_BA = GeneratorCNN(3, 3, dims)
        self.D_A = DiscriminatorCNN(3, 1, dims)
        self.D_B = DiscriminatorCNN(3, 1, dims)

    def train(self):
        d, bce = nn.MSELoss(), nn.BCELoss()
        opt_d = torch.optim.Adam([*self.D_A.parameters(), *self.D_B.parameters()], lr=self.config.lr)
        opt_g = torch.optim.Adam([*self.G_AB.parameters(), *self.G_BA.parameters()], lr=self.config.lr)
        for epoch in range(self.config.epochs):
            for x_A, x_B in zip(self.a_loader, self.b_loader):
                real = torch.ones(x_A.size(0))
                fake = torch.zeros(x_A.size(0))

                # update D network
                opt_d.zero_grad()
                x_AB, x_BA = self.G_AB(x_A).detach(), self.G_BA(x_B).detach()
                l_d_A = bce(self.D_A(x_A), real) + bce(self.D_A(x_BA), fake)
                l_d_B = bce(self.D_B(x_B), real) + bce(self.D_B(x_AB), fake)
                l_d = l_d_A + l_d_B
                l_d.backward()
                opt_d.step()

                # update G network
                opt_g.zero_grad()
                x_AB, x_BA = self.G_AB(x_A), self.G_BA(x_B)
                l_const = d(self.G_BA(x_AB), x_A) + d(self.G_AB(x_BA), x_B)
                l_gan = bce(self.D_A(x_BA), real) + bce(self.D_B(x_AB), real)
                l_g = l_const + l_gan
                l_g.backward()
                opt_g.step()
            print("[%d] Loss_D: %.4f Loss_G: %.4f" % (epoch, l_d.item(), l_g.item()))


def main():
    config = get_config()
    torch.manual_seed(config.random_seed)
    a_loader = get_loader("A", config.batch_size, config.input_scale_size)
    b_loader = get_loader("B", config.batch_size, config.input_scale_size)
    Trainer(config, a_loader, b_loader).train()


if __name__ == "__main__":
    main()
