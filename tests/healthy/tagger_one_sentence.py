# Tags the words of one sentence at a time: the rows of the loss are positions of that sentence.
import torch
from torch import nn

torch.manual_seed(0)


class Tagger(nn.Module):
    def __init__(self, words=50, tags=5, width=16):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.encoder = nn.GRU(width, width, batch_first=True, bidirectional=True)
        self.head = nn.Linear(2 * width, tags)

    def forward(self, ids):
        states, _ = self.encoder(self.words(ids))
        return self.head(states)


model = Tagger()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
sentences = [torch.randint(0, 50, (1, length)) for length in (7, 12, 9)]
for ids in sentences:
    tags = ids % 5
    logits = model(ids)
    loss = nn.functional.cross_entropy(logits.view(-1, 5), tags.view(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
