import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class ValueNet(nn.Module):
    def __init__(self, obs_dim, hidden):
        super().__init__()
        self.hidden = hidden
        self.fc = nn.Linear(obs_dim, hidden)
        self.lstm = nn.LSTM(hidden, hidden, batch_first=True)
        self.value = nn.Linear(hidden, 1)

    def initial_state(self, rows):
        return torch.zeros(1, rows, self.hidden), torch.zeros(1, rows, self.hidden)

    def forward(self, obs, state, seq_lens):
        x = torch.relu(self.fc(obs))
        features, state = self.lstm(x, state)
        return self.value(features).squeeze(-1), state
