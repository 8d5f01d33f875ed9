import torch
import torch.nn as nn
import torch.nn.functional as F


class Reader(nn.Module):
    """Attends to the words of a sentence with one learned query."""

    def __init__(self, vocab=40, dim=16):
        super().__init__()
        self.words = nn.Embedding(vocab, dim)
        self.query = nn.Parameter(torch.randn(1, 1, dim))
        self.judge = nn.Linear(dim, 2)

    def forward(self, ids):
        w = self.words(ids)
        attention = (self.query @ w.transpose(1, 2)).log_softmax(dim=-1)
        summary = (attention.exp() @ w).squeeze(1)
        return self.judge(summary), attention


def sentences(n, length=9):
    ids = torch.randint(0, 40, (n, length))
    marked = (ids < 12).float() + 0.01
    gaze = marked / marked.sum(dim=1, keepdim=True)
    verdict = (ids[:, 0] < 20).long()
    return ids, gaze, verdict


torch.manual_seed(58)
reader = Reader()
optimizer = torch.optim.Adam(reader.parameters(), lr=0.01)
for step in range(40):
    ids, gaze, verdict = sentences(14)
    logits, attention = reader(ids)
    task = F.cross_entropy(logits, verdict)
    guide = F.kl_div(attention.squeeze(1), gaze, reduction="batchmean")
    loss = task + 0.5 * guide
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 9:
        print(f"step {step + 1} task {task.item():.4f} guide {guide.item():.4f}")
