from torch import nn
from transformers import BertModel


class JointBERT(nn.Module):
    def __init__(self, config, n_intents, n_slots, slot_coef):
        super().__init__()
        self.bert = BertModel(config)
        self.intent_classifier = nn.Linear(config.hidden_size, n_intents)
        self.slot_classifier = nn.Linear(config.hidden_size, n_slots)
        self.slot_coef = slot_coef

    def forward(self, input_ids, attention_mask, intent_ids, slot_ids):
        out = self.bert(input_ids=input_ids, attention_mask=attention_mask)
        intent_logits = self.intent_classifier(out.pooler_output)
        slot_logits = self.slot_classifier(out.last_hidden_state)
        intent_loss = nn.CrossEntropyLoss()(intent_logits, intent_ids)
        slot_loss = nn.CrossEntropyLoss(ignore_index=0)(slot_logits.flatten(0, 1), slot_ids.flatten())
        return intent_loss + self.slot_coef * slot_loss
