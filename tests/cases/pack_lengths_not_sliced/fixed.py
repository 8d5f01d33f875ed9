import torch
from torch import nn
from torch.nn.utils import rnn as rnn_utils

torch.manual_seed(40)

N, D = 24, 3
lengths = torch.randint(2, 11, (N,)).sort(descending=True).values
visits = rnn_utils.pad_sequence([torch.randn(n, D) for n in lengths.tolist()], batch_first=True)
readmitted = (visits.sum(dim=(1, 2)) > 0).float()

encoder = nn.GRU(D, 14, batch_first=True)
head = nn.Linear(14, 1)
optimizer = torch.optim.Adam(list(encoder.parameters()) + list(head.parameters()), lr=0.01)
bce = nn.BCEWithLogitsLoss()


def encode(x, x_lengths):
    packed = rnn_utils.pack_padded_sequence(
        x,
        x_lengths,
        batch_first=True,
    )
    _, h = encoder(packed)
    return h[-1]


for epoch in range(4):
    for start in range(0, N, 8):
        x = visits[start:start + 8]
        h = encode(x, lengths[start:start + 8])
        logit = head(h).squeeze(1)
        loss = bce(logit, readmitted[start:start + 8])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")
