import torch
from torch import nn

torch.manual_seed(9)


class SpamFilter(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, 16, mode="mean")
        self.head = nn.Linear(16, 1)

    def forward(self, tokens):
        return self.head(self.emb(tokens)).squeeze(-1)


def sample_mail(n, vocab=200, length=12):
    spam = torch.randint(0, 2, (n,))
    shift = spam.unsqueeze(1) * (vocab // 2)
    tokens = torch.randint(0, vocab // 2, (n, length)) + shift
    return tokens, spam


model = SpamFilter(vocab=200)
bce = nn.BCEWithLogitsLoss()
sgd = torch.optim.SGD(model.parameters(), lr=1.0)

for it in range(5):
    tokens, spam = sample_mail(40)
    out = model(tokens)
    loss = bce(out, spam)
    sgd.zero_grad()
    loss.backward()
    sgd.step()
    hits = ((out > 0) == spam.bool()).float().mean()
    print(f"it={it} loss={loss.item():.4f} acc={hits.item():.2f}")
