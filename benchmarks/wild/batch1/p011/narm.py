import torch
import torch.nn as nn


class NARM(nn.Module):
    """Neural attentive session recommender (global encoder + local attention)."""

    def __init__(self, config, n_items):
        super().__init__()
        self.n_items = n_items
        dim, hidden = config["embedding_size"], config["hidden_size"]
        self.item_embedding = nn.Embedding(n_items, dim, padding_idx=0)
        self.gru = nn.GRU(dim, hidden, config["n_layers"], batch_first=True)
        self.a_1 = nn.Linear(hidden, hidden, bias=False)
        self.a_2 = nn.Linear(hidden, hidden, bias=False)
        self.v_t = nn.Linear(hidden, 1, bias=False)
        self.b = nn.Linear(2 * hidden, dim, bias=False)
        self.loss_fct = nn.CrossEntropyLoss()

    def forward(self, item_seq, item_seq_len):
        seq_emb = self.item_embedding(item_seq)
        gru_out, _ = self.gru(seq_emb)
        last = gru_out[torch.arange(len(item_seq)), item_seq_len - 1]
        alpha = self.v_t(torch.sigmoid(self.a_1(gru_out) + self.a_2(last).unsqueeze(1)))
        alpha = alpha.masked_fill((item_seq == 0).unsqueeze(-1), 0.0)
        c_local = (alpha * gru_out).sum(1)
        return self.b(torch.cat([c_local, last], dim=1))

    def full_sort_predict(self, batch):
        out = self.forward(batch["item_id_list"], batch["item_length"])
        return out @ self.item_embedding.weight.t()

    def calculate_loss(self, batch):
        return self.loss_fct(self.full_sort_predict(batch), batch["item_id"])
