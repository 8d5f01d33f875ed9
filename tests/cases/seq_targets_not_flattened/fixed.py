import torch
import torch.nn as nn

text = "the quick brown fox jumps over the lazy dog while the slow red hen sleeps " * 6
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])

BLOCK, BATCH = 12, 8
torch.manual_seed(1337)


def get_batch():
    ix = torch.randint(len(data) - BLOCK - 1, (BATCH,)).tolist()
    x = torch.stack([data[i:i + BLOCK] for i in ix])
    y = torch.stack([data[i + 1:i + BLOCK + 1] for i in ix])
    return x, y


class CharRNN(nn.Module):
    def __init__(self, vocab_size, hidden=48):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, hidden)
        self.rnn = nn.LSTM(hidden, hidden, batch_first=True)
        self.decoder = nn.Linear(hidden, vocab_size)

    def forward(self, x):
        out, _ = self.rnn(self.embedding(x))
        return self.decoder(out.reshape(-1, out.size(2)))


model = CharRNN(len(chars))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

for step in range(20):
    xb, yb = get_batch()
    logits = model(xb)
    loss = criterion(logits, yb.reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 5 == 0:
        print(f"step {step} loss {loss.item():.4f}")
