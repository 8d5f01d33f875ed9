import torch
import torch.nn.functional as F


def step(model, graph, opt):
    model.train()
    out = model(graph.x, graph.edge_index)
    loss = F.cross_entropy(out[graph.train_mask], graph.y[graph.train_mask])
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


@torch.no_grad()
def accuracy(model, graph):
    model.eval()
    right = model(graph.x, graph.edge_index).argmax(1) == graph.y
    return right[graph.train_mask].float().mean().item(), right[~graph.train_mask].float().mean().item()
