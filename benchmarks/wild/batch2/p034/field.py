import torch
from torch.func import jacrev, vmap
from torch.nn.functional import normalize


def unit_field(net):
    """direction in which the autoencoder moves a point"""
    def u(y):
        return normalize(net(y) - y, dim=-1)
    return u


def vector_field_jacobian(net, points):
    """(n, 2, 2): d u_i / d y_j at every point"""
    return vmap(jacrev(unit_field(net)))(points)


@torch.no_grad()
def mean_turn(net, J, points):
    u = unit_field(net)(points)
    rotated = torch.bmm(J, u.unsqueeze(-1)).squeeze(-1)
    return rotated.norm(dim=-1).mean().item()
