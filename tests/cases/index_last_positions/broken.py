import torch
import torch.nn as nn
import torch.nn.functional as F
from transformers import GPT2Config, GPT2Model

torch.manual_seed(0)


class RewardModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = GPT2Model(GPT2Config(vocab_size=60, n_positions=32, n_embd=32, n_layer=1, n_head=2, resid_pdrop=0, embd_pdrop=0, attn_pdrop=0))
        self.v_head = nn.Linear(32, 1, bias=False)

    def forward(self, ids, mask):
        hidden = self.body(ids, attention_mask=mask).last_hidden_state
        rewards = self.v_head(hidden).squeeze(-1)
        last = mask.sum(1) - 1
        return rewards[last]


model = RewardModel()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(3):
    c, r = torch.randint(1, 60, (4, 12)), torch.randint(1, 60, (4, 12))
    cm, rm = torch.ones(4, 12, dtype=torch.long), torch.ones(4, 12, dtype=torch.long)
    cm[0, 9:] = 0
    rm[2, 7:] = 0
    loss = -F.logsigmoid(model(c, cm) - model(r, rm)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, round(loss.item(), 4))
