import torch.nn as nn
from transformers import BertConfig, BertModel

from settings import CFG


def loss_fn(pred, target):
    return nn.CrossEntropyLoss()(pred.view(-1, 4), target.view(-1))


class TokenModel(nn.Module):
    def __init__(self, num_labels):
        super().__init__()
        config = BertConfig(
            vocab_size=CFG["vocab_size"], hidden_size=CFG["hidden_size"], num_hidden_layers=1,
            num_attention_heads=2, intermediate_size=64, max_position_embeddings=CFG["max_len"],
            hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
        self.bert = BertModel(config, add_pooling_layer=False)
        self.cls_layer = nn.Sequential(nn.Linear(CFG["hidden_size"], 48), nn.ReLU(), nn.Linear(48, num_labels))

    def forward(self, input_ids, attention_mask, labels):
        output = self.bert(input_ids, attention_mask=attention_mask)
        output = self.cls_layer(output.last_hidden_state)
        loss = loss_fn(output, labels)
        return output, loss
