import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence


class EncoderRNN(nn.Module):
    def __init__(self, vocab_size, hidden_size, n_layers=1, bidirectional=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, hidden_size, padding_idx=0)
        self.rnn = nn.GRU(hidden_size, hidden_size, n_layers, batch_first=True, bidirectional=bidirectional)

    def forward(self, inputs, lengths):
        packed = pack_padded_sequence(self.embedding(inputs), lengths, batch_first=True, enforce_sorted=False)
        _, hidden = self.rnn(packed)
        return hidden


class DecoderRNN(nn.Module):
    def __init__(self, vocab_size, max_len, hidden_size, sos_id, n_layers=1, bidirectional=False):
        super().__init__()
        self.bidirectional_encoder = bidirectional
        self.max_length, self.sos_id = max_len, sos_id
        self.embedding = nn.Embedding(vocab_size, hidden_size)
        self.rnn = nn.GRU(hidden_size, hidden_size, n_layers, batch_first=True)
        self.out = nn.Linear(hidden_size, vocab_size)

    def _cat_directions(self, h):
        """(layers * directions, batch, h) -> (layers, batch, directions * h)"""
        if self.bidirectional_encoder:
            h = torch.cat([h[0::2], h[1::2]], 2)
        return h

    def forward(self, targets, encoder_hidden):
        hidden = self._cat_directions(encoder_hidden)
        sos = torch.full((targets.size(0), 1), self.sos_id, dtype=torch.long)
        decoder_input = torch.cat([sos, targets[:, :-1]], dim=1)
        output, _ = self.rnn(self.embedding(decoder_input), hidden)
        return self.out(output)


class Seq2seq(nn.Module):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder, self.decoder = encoder, decoder

    def forward(self, src, lengths, trg):
        return self.decoder(trg, self.encoder(src, lengths))
