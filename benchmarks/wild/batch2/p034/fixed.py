import argparse

import torch

from data import spiral
from field import mean_turn, vector_field_jacobian
from fixed_model import VariationalAutoencoder


def loss_fn(y_hat, y, mu, log_var):
    mse = (y_hat - y).pow(2).sum(-1).mean()
    kld = 0.5 * (log_var.exp() - log_var - 1 + mu.pow(2)).sum(-1).mean()
    return mse, kld


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--latent", type=int, default=4)
    parser.add_argument("--beta", type=float, default=0.01)
    parser.add_argument("--grid", type=int, default=5)
    args = parser.parse_args()

    torch.manual_seed(0)
    Y = spiral(64)
    net = VariationalAutoencoder(args.width, args.latent)
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
    for epoch in range(1, args.epochs + 1):
        net.train()
        y_hat, mu, log_var = net(Y)
        mse, kld = loss_fn(y_hat, Y, mu, log_var)
        optimizer.zero_grad()
        (mse + args.beta * kld).backward()
        optimizer.step()
        if epoch % 20 == 0:
            print("epoch %d mse %.4f kld %.4f" % (epoch, mse.item(), kld.item()))

    net.eval()
    axis = torch.linspace(-1, 1, args.grid)
    grid = torch.cartesian_prod(axis, axis)
    J = vector_field_jacobian(net, grid)
    print("divergence mean %.4f" % J.diagonal(dim1=1, dim2=2).sum(-1).mean().item())
    print("turn %.4f" % mean_turn(net, J, grid))


if __name__ == "__main__":
    main()
