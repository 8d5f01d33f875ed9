import argparse

import torch
from torch import nn
import torch.nn.functional as F

MASK = 1


class MaskedLM(nn.Module):
    def __init__(self, vocab, dim, layers):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(torch.randn(64, dim) * 0.02)
        layer = nn.TransformerEncoderLayer(dim, 4, 2 * dim, dropout=0.0, batch_first=True)
        self.body = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        return self.head(self.body(self.emb(ids) + self.pos[:ids.size(1)]))


def corpus(n, length, vocab, seed=0):
    g = torch.Generator().manual_seed(seed)
    start = torch.randint(0, vocab - 2, (n, 1), generator=g)
    step = torch.randint(1, 4, (n, 1), generator=g)
    return (start + step * torch.arange(length)) % (vocab - 2) + 2


def corrupt(ids, g):
    hide = torch.rand(ids.shape, generator=g) < 0.2
    return ids.masked_fill(hide, MASK), ids.masked_fill(~hide, -100)


def distill_loss(student, teacher, temperature):
    kl = F.kl_div(
        F.log_softmax(student / temperature, dim=-1).flatten(0, 1),
        F.softmax(teacher / temperature, dim=-1).flatten(0, 1),
        reduction="batchmean")
    return kl * temperature ** 2


def train(model, ids, steps, lr, teacher=None, hardness=0.9, temperature=2.0):
    g = torch.Generator().manual_seed(1)
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    log = []
    for step in range(steps):
        rows = ids[torch.randint(0, len(ids), (16,), generator=g)]
        x, y = corrupt(rows, g)
        logits = model(x)
        hard = F.cross_entropy(logits.transpose(1, 2), y)
        loss = hard
        if teacher is not None:
            with torch.no_grad():
                soft = teacher(x)
            loss = (1 - hardness) * hard + hardness * distill_loss(logits, soft, temperature)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        log.append((hard.item(), loss.item()))
    return log


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--vocab", type=int, default=30)
    p.add_argument("--length", type=int, default=20)
    p.add_argument("--steps", type=int, default=60)
    args = p.parse_args()
    torch.manual_seed(0)
    ids = corpus(128, args.length, args.vocab)
    teacher = MaskedLM(args.vocab, 32, 2)
    print("teacher %.4f" % train(teacher, ids, args.steps, lr=0.1)[-1][0])
    student = MaskedLM(args.vocab, 16, 1)
    log = train(student, ids, args.steps, lr=0.05, teacher=teacher.eval())
    for step in range(0, args.steps, 12):
        print("step %d hard %.4f total %.4f" % (step, *log[step]))


if __name__ == "__main__":
    main()
