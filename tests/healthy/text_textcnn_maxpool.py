import torch
import torch.nn as nn
import torch.nn.functional as F

# Kim-style convolution over words; padding is pushed to -inf before the max.

PAD = 0
vocab = {w: i + 1 for i, w in enumerate("good bad fine awful great poor film plot actor the a was".split())}
TEXTS = [
    ("the film was good", 1), ("awful plot", 0), ("a great actor", 1), ("the plot was poor and bad", 0),
    ("fine film", 1), ("the actor was awful", 0), ("great great film", 1), ("bad", 0), ("good", 1),
    ("poor film the plot was awful", 0), ("a fine plot", 1),
]


def encode(text):
    return [vocab[w] for w in text.split() if w in vocab]


def make_batch(rows, min_len=3):
    ids = [encode(t) for t, _ in rows]
    width = max(min_len, max(len(i) for i in ids))
    batch = torch.full((len(rows), width), PAD)
    for r, i in enumerate(ids):
        batch[r, :len(i)] = torch.tensor(i)
    labels = torch.tensor([y for _, y in rows])
    return batch, labels


class TextCNN(nn.Module):
    def __init__(self, n_vocab, dim=12, kernels=(1, 3), channels=10):
        super().__init__()
        self.emb = nn.Embedding(n_vocab, dim, padding_idx=PAD)
        self.convs = nn.ModuleList(nn.Conv1d(dim, channels, k, padding=k // 2) for k in kernels)
        self.fc = nn.Linear(channels * len(kernels), 2)

    def forward(self, ids):
        real = (ids != PAD).unsqueeze(1)  # (B, 1, T)
        x = self.emb(ids).transpose(1, 2)  # (B, D, T)
        pooled = [conv(x).masked_fill(~real, float("-inf")).amax(dim=2) for conv in self.convs]
        return self.fc(torch.relu(torch.cat(pooled, dim=1)))


torch.manual_seed(4)
net = TextCNN(len(vocab) + 1)
opt = torch.optim.Adam(net.parameters(), lr=0.02)
for epoch in range(4):
    order = torch.randperm(len(TEXTS)).tolist()
    for k in range(0, len(TEXTS), 4):
        ids, labels = make_batch([TEXTS[j] for j in order[k:k + 4]])
        loss = F.cross_entropy(net(ids), labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
ids, labels = make_batch(TEXTS)
with torch.no_grad():
    accuracy = (net(ids).argmax(-1) == labels).float().mean()
print(f"accuracy {accuracy:.2f}")
