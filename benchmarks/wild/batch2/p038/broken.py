import copy

import torch
import yaml

from client import local_train
from data import split_clients, synthetic_digits
from helper import Helper
from model import SmallResNet


def test(model, dataset):
    model.eval()
    with torch.no_grad():
        images, labels = dataset.tensors
        logits = model(images)
        loss = torch.nn.functional.cross_entropy(logits, labels)
    return loss.item(), (logits.argmax(1) == labels).float().mean().item()


def main():
    with open("params.yaml") as f:
        params = yaml.safe_load(f)
    torch.manual_seed(params["seed"])
    helper = Helper(params)
    clients = split_clients(synthetic_digits(120, seed=1), params["number_of_total_participants"])
    test_set = synthetic_digits(40, seed=2)
    target_model = SmallResNet(num_classes=10)

    for epoch in range(1, params["epochs"] + 1):
        weight_accumulator = helper.init_weight_accumulator(target_model)
        for dataset in clients[:params["no_models"]]:
            local_model = copy.deepcopy(target_model)
            local_train(local_model, dataset, params)
            helper.accumulate_weight(weight_accumulator, local_model, target_model)
        helper.average_shrink_models(weight_accumulator, target_model)
        loss, acc = test(target_model, test_set)
        print("epoch %d global loss %.4f acc %.4f" % (epoch, loss, acc))


if __name__ == "__main__":
    main()
