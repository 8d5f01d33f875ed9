import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Attention(nn.Module):
    def __init__(self, enc_dim, dec_dim):
        super().__init__()
        self.attn = nn.Linear(enc_dim + dec_dim, dec_dim)
        self.v = nn.Linear(dec_dim, 1, bias=False)

    def forward(self, hidden, outputs):
        src_len = outputs.size(1)
        hidden = hidden.unsqueeze(1).repeat(src_len, 1, 1)
        energy = torch.tanh(self.attn(torch.cat((hidden, outputs), dim=2)))
        return F.softmax(self.v(energy).squeeze(2), dim=1)


enc = nn.GRU(10, 16, batch_first=True)
att = Attention(16, 16)
out = nn.Linear(16, 4)
opt = torch.optim.Adam([*enc.parameters(), *att.parameters(), *out.parameters()], 1e-2)
for step in range(3):
    x, y = torch.randn(6, 11, 10), torch.randint(0, 4, (6,))
    o, h = enc(x)
    a = att(h[-1], o)
    ctx = torch.bmm(a.unsqueeze(1), o).squeeze(1)
    loss = F.cross_entropy(out(ctx), y)
    opt.zero_grad(); loss.backward(); opt.step()
    print(step, round(loss.item(), 4))
