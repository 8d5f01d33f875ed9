import torch


def scatter_sum(values, index, size):
    out = values.new_zeros((size,) + values.shape[1:])
    return out.index_add(0, index, values)


def degree_norm(edge_index, num_nodes):
    src, dst = edge_index
    deg = torch.zeros(num_nodes).scatter_add(0, dst, torch.ones(len(dst)))
    inv = deg.clamp(min=1).pow(-0.5)
    return inv[src] * inv[dst]
