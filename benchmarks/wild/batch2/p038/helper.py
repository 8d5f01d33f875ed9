import torch


class Helper:
    def __init__(self, params):
        self.params = params

    def init_weight_accumulator(self, target_model):
        return {name: torch.zeros_like(data) for name, data in target_model.state_dict().items()}

    def accumulate_weight(self, weight_accumulator, local_model, target_model):
        target = target_model.state_dict()
        for name, data in local_model.state_dict().items():
            weight_accumulator[name].add_(data - target[name])

    def average_shrink_models(self, weight_accumulator, target_model):
        """FedAvg: average the updates and add them to the global model"""
        for name, data in target_model.state_dict().items():
            update_per_layer = weight_accumulator[name] * (self.params["eta"] / self.params["no_models"])
            data.add_(update_per_layer)
