import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class BiTagger(nn.Module):
    def __init__(self, n_words, n_tags, net):
        super().__init__()
        self.nb_layers = net["nb_layers"]
        self.nb_units = net["nb_lstm_units"]
        self.embedding = nn.Embedding(n_words, net["embedding_dim"], padding_idx=0)
        self.lstm = nn.LSTM(net["embedding_dim"], self.nb_units, self.nb_layers, batch_first=True)
        self.to_tag = nn.Linear(self.nb_units, n_tags)

    def init_hidden(self, batch):
        h = torch.zeros(self.nb_layers, batch, self.nb_units)
        return h, torch.zeros_like(h)

    def forward(self, x, lengths):
        hidden = self.init_hidden(x.size(0))
        packed = pack_padded_sequence(self.embedding(x), lengths, batch_first=True)
        out, _ = self.lstm(packed, hidden)
        out, _ = pad_packed_sequence(out, batch_first=True)
        return torch.log_softmax(self.to_tag(out), dim=-1)
