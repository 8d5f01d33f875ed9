import torch
import torch.nn as nn


class ParallelCNN(nn.Module):
    def __init__(self, vocab, embedding_size, num_filters, kernels):
        super().__init__()
        self.embed = nn.Embedding(vocab, embedding_size, padding_idx=0)
        self.convs = nn.ModuleList(nn.Conv1d(embedding_size, num_filters, k) for k in kernels)
        self.output_size = num_filters * len(kernels)

    def forward(self, x):
        x = self.embed(x).transpose(1, 2)
        return torch.cat([torch.relu(conv(x)).amax(-1) for conv in self.convs], dim=1)


class StackedRNN(nn.Module):
    def __init__(self, vocab, embedding_size, state_size, num_layers=1, bidirectional=False):
        super().__init__()
        self.embed = nn.Embedding(vocab, embedding_size, padding_idx=0)
        self.rnn = nn.LSTM(embedding_size, state_size, num_layers,
                           batch_first=True, bidirectional=bidirectional)
        self.output_size = state_size * (2 if bidirectional else 1)

    def forward(self, x):
        outputs, _ = self.rnn(self.embed(x))
        return outputs[:, -1]


class Passthrough(nn.Module):
    output_size = 1

    def forward(self, x):
        return x.unsqueeze(1)


ENCODERS = {"parallel_cnn": ParallelCNN, "rnn": StackedRNN}


def build_encoder(feature):
    if feature["type"] == "numerical":
        return Passthrough()
    params = dict(feature["encoder"])
    return ENCODERS[params.pop("type")](feature["vocab"], **params)
