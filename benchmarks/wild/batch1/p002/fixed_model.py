import torch
import torch.nn as nn

from fixed_encoders import build_encoder


class ConcatCombiner(nn.Module):
    def __init__(self, input_size, fc_size, dropout):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(input_size, fc_size), nn.ReLU(), nn.Dropout(dropout))

    def forward(self, parts):
        return self.fc(torch.cat(parts, dim=-1))


class SpamModel(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.encoders = nn.ModuleDict(
            {feature["name"]: build_encoder(feature) for feature in config["input_features"]})
        width = sum(encoder.output_size for encoder in self.encoders.values())
        self.combiner = ConcatCombiner(width, **config["combiner"])
        self.decoder = nn.Linear(config["combiner"]["fc_size"], 1)

    def forward(self, batch):
        parts = [encoder(batch[name]) for name, encoder in self.encoders.items()]
        return self.decoder(self.combiner(parts)).squeeze(1)
