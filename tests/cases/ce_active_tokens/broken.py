import torch
import torch.nn as nn

torch.manual_seed(1)
NUM_LABELS = 7


class TokenTagger(nn.Module):
    def __init__(self, vocab=120, hidden=32):
        super().__init__()
        self.num_labels = NUM_LABELS
        self.word_embeddings = nn.Embedding(vocab, hidden)
        self.encoder = nn.GRU(hidden, hidden // 2, batch_first=True, bidirectional=True)
        self.classifier = nn.Linear(hidden, NUM_LABELS)

    def forward(self, input_ids, attention_mask=None, labels=None):
        sequence_output, _ = self.encoder(self.word_embeddings(input_ids))
        logits = self.classifier(sequence_output)
        if labels is None:
            return logits
        loss_fct = nn.CrossEntropyLoss()
        active = attention_mask.view(-1) == 1
        active_logits = logits.view(-1, self.num_labels)[active]
        active_labels = labels.view(-1)
        loss = loss_fct(active_logits, active_labels)
        return loss


def batches():
    for lengths in ([12, 9, 5, 3], [11, 12, 7, 8], [4, 6, 12, 10]):
        ids = torch.randint(1, 120, (len(lengths), 12))
        mask = (torch.arange(12)[None, :] < torch.tensor(lengths)[:, None]).long()
        yield ids * mask, mask, torch.randint(0, NUM_LABELS, ids.shape)


model = TokenTagger()
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
data = list(batches())
for epoch in range(2):
    tr_loss = 0.0
    for b_input_ids, b_input_mask, b_labels in data:
        loss = model(b_input_ids, attention_mask=b_input_mask, labels=b_labels)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        tr_loss += loss.item()
    print("Train loss: {:.4f}".format(tr_loss / len(data)))
