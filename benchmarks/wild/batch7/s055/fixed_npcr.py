from torch import nn
from transformers import BertModel

from essays import PAD


class NPCR(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.bert = BertModel(config, add_pooling_layer=False)
        self.head = nn.Linear(config.hidden_size, 1)

    def encode(self, ids):
        return self.bert(ids, attention_mask=(ids != PAD).long()).last_hidden_state[:, 0]

    def forward(self, a, b):
        return (self.head(self.encode(a)) - self.head(self.encode(b))).squeeze(1)
