import argparse

import torch
from torch import nn
import torch.nn.functional as F


class AnswerLM(nn.Module):
    def __init__(self, vocab, dim=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        return self.head(self.rnn(self.emb(ids))[0])


def token_logprobs(model, ids):
    """Entry i is the log-probability of token i + 1."""
    logp = model(ids[:-1].unsqueeze(0))[0].log_softmax(dim=-1)
    return logp.gather(1, ids[1:].unsqueeze(1)).squeeze(1)


def response_logprob(model, ids, response_start):
    logprobs = token_logprobs(model, ids)
    return logprobs[response_start - 1:].sum()


def preference_loss(model, prompt, good, bad, beta):
    start = len(prompt)
    lp_good = response_logprob(model, torch.cat([prompt, good]), start)
    lp_bad = response_logprob(model, torch.cat([prompt, bad]), start)
    return -F.logsigmoid(beta * (lp_good - lp_bad)) - 0.1 * lp_good, (lp_good > lp_bad).float()


def questions(n, seed=1):
    """Yes or no first, then the same explanation."""
    g = torch.Generator().manual_seed(seed)
    rows = []
    for _ in range(n):
        prompt = torch.randint(4, 20, (int(torch.randint(3, 7, (1,), generator=g)),), generator=g)
        yes = bool((prompt > 11).sum() * 2 > len(prompt))
        tail = prompt.flip(0)[:3]
        good, bad = torch.tensor([1 if yes else 2]), torch.tensor([2 if yes else 1])
        rows.append((prompt, torch.cat([good, tail]), torch.cat([bad, tail])))
    return rows


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=4)
    p.add_argument("--accumulate", type=int, default=8)
    p.add_argument("--beta", type=float, default=1.0)
    args = p.parse_args()
    torch.manual_seed(0)
    model = AnswerLM(20)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    rows = questions(64)
    for epoch in range(args.epochs):
        total, right = 0.0, 0.0
        for i, (prompt, good, bad) in enumerate(rows):
            loss, hit = preference_loss(model, prompt, good, bad, args.beta)
            (loss / args.accumulate).backward()
            if i % args.accumulate == args.accumulate - 1:
                opt.step()
                opt.zero_grad()
            total, right = total + loss.item(), right + hit.item()
        print(f"epoch {epoch} loss {total / len(rows):.4f} preferred {right / len(rows):.4f}")


if __name__ == "__main__":
    main()
