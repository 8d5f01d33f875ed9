"""CBOW word vectors on a small text."""
import numpy as np
import torch
import torch.nn.functional as F

TEXT = """the sea was calm and the boat was small the wind came from the west
and the boat sailed to the island where the old man kept the light and the sea
was calm again when the boat came home""".split()
vocab = {w: i for i, w in enumerate(dict.fromkeys(TEXT))}
ids = np.fromiter((vocab[w] for w in TEXT), dtype=np.int32)
SPAN = 2

contexts, centres = [], []
for k in range(SPAN, len(ids) - SPAN):
    contexts.append(np.concatenate([ids[k - SPAN:k], ids[k + 1:k + SPAN + 1]]))
    centres.append(ids[k])
contexts = torch.from_numpy(np.stack(contexts))
centres = torch.from_numpy(np.stack(centres)).long()


class CBOW(torch.nn.Module):
    def __init__(self, n_words, dim=12):
        super().__init__()
        self.vectors = torch.nn.Embedding(n_words, dim)
        self.predict = torch.nn.Linear(dim, n_words)

    def forward(self, context):
        return self.predict(self.vectors(context).mean(dim=1))


torch.manual_seed(0)
cbow = CBOW(len(vocab))
opt = torch.optim.Adam(cbow.parameters(), lr=0.05)
for epoch in range(6):
    loss = F.cross_entropy(cbow(contexts), centres)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("epoch", epoch, "loss", round(loss.item(), 4))
