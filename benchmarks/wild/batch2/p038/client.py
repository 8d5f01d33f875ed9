import torch
from torch.utils.data import DataLoader


def local_train(model, dataset, params):
    """a few epochs of SGD on the data of one participant"""
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=params["lr"], momentum=params["momentum"])
    for _ in range(params["internal_epochs"]):
        for images, labels in DataLoader(dataset, batch_size=params["batch_size"]):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(images), labels)
            loss.backward()
            optimizer.step()
