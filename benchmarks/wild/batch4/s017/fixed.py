import torch
from torch import nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

PAD, N_WORDS = 0, 30


class MultiHead(nn.Module):
    def __init__(self, dim, n_head):
        super().__init__()
        self.n_head = n_head
        self.wq, self.wk, self.wv = (nn.Linear(dim, dim) for _ in range(3))
        self.wo = nn.Linear(dim, dim)

    def split(self, x):
        b, n, d = x.shape
        x = x.view(b, n, self.n_head, d // self.n_head).permute(2, 0, 1, 3)
        return x.reshape(self.n_head * b, n, d // self.n_head)

    def forward(self, x, pad_mask):
        b, n, d = x.shape
        q, k, v = self.split(self.wq(x)), self.split(self.wk(x)), self.split(self.wv(x))
        mask = pad_mask.unsqueeze(1).repeat(self.n_head, 1, 1)
        att = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).masked_fill(mask, -1e9)
        y = att.softmax(-1) @ v
        y = y.view(self.n_head, b, n, -1).permute(1, 2, 0, 3).reshape(b, n, d)
        return self.wo(y)


class Classifier(nn.Module):
    def __init__(self, dim=24, n_head=4, n_out=3):
        super().__init__()
        self.emb = nn.Embedding(N_WORDS, dim)
        self.att = MultiHead(dim, n_head)
        self.fc = nn.Linear(dim, n_out)

    def forward(self, ids):
        x = self.emb(ids)
        x = x + self.att(x, ids == PAD)
        return self.fc(torch.tanh(x[:, 0]))


def make_rows(n):
    rows, ys = [], []
    for _ in range(n):
        length = int(torch.randint(2, 14, (1,)))
        row = torch.randint(4, N_WORDS, (length,))
        y = int(torch.randint(0, 3, (1,)))
        row[int(torch.randint(1, length, (1,)))] = y + 1
        rows.append(row)
        ys.append(y)
    return pad_sequence(rows, batch_first=True, padding_value=PAD), torch.tensor(ys)


if __name__ == "__main__":
    torch.manual_seed(8)
    model = Classifier()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for step in range(1, 61):
        ids, y = make_rows(24)
        loss = F.cross_entropy(model(ids), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print("step", step, "loss", round(loss.item(), 4))
    model.eval()
    with torch.no_grad():
        ids, y = make_rows(100)
        logits = model(ids)
        alone = torch.cat([model(r[r != PAD][None]) for r in ids])
    print("accuracy", round((logits.argmax(1) == y).float().mean().item(), 4))
    print("batched and single differ by", round((logits - alone).abs().max().item(), 4))
