import torch


def train_test_split_edges(edge_index, edge_attr, test_ratio):
    perm = torch.randperm(edge_index.size(1))
    n_test = int(test_ratio * len(perm))
    test, train = perm[:n_test], perm[n_test:]
    return edge_index[:, train], edge_attr[train], edge_index[:, test]


def negative_sampling(edge_index, num_nodes):
    n = edge_index.size(1)
    return torch.randint(0, num_nodes, (2, n))
