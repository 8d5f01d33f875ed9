"""Reverse a sequence of digits: encoder-decoder GRU with attention and teacher forcing."""
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

PAD, BOS, EOS, OFFSET = 0, 1, 2, 3


def pairs(n=40):
    g = torch.Generator().manual_seed(6)
    rows = []
    for _ in range(n):
        k = int(torch.randint(2, 7, (1,), generator=g))
        digits = torch.randint(0, 8, (k,), generator=g) + OFFSET
        rows.append((digits, digits.flip(0)))
    return rows


def collate(rows):
    source = pad_sequence([s for s, _ in rows], batch_first=True, padding_value=PAD)
    bos, eos = torch.tensor([BOS]), torch.tensor([EOS])
    given = pad_sequence([torch.cat([bos, t]) for _, t in rows], batch_first=True, padding_value=PAD)
    wanted = pad_sequence([torch.cat([t, eos]) for _, t in rows], batch_first=True, padding_value=PAD)
    return source, given, wanted


class Seq2Seq(nn.Module):
    def __init__(self, vocab=11, dim=24):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.encoder = nn.GRU(dim, dim, batch_first=True)
        self.decoder = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(2 * dim, vocab)

    def encode(self, source):
        memory, _ = self.encoder(self.embed(source))
        last = source.ne(PAD).sum(dim=1) - 1
        state = memory[torch.arange(source.size(0)), last].unsqueeze(0)
        return memory, state

    def decode(self, given, memory, state, padded):
        h, state = self.decoder(self.embed(given), state)
        scores = torch.bmm(h, memory.transpose(1, 2))
        scores = scores.masked_fill(padded.unsqueeze(1), float("-inf"))
        context = torch.bmm(scores.softmax(dim=-1), memory)
        return self.out(torch.cat([h, context], dim=-1)), state

    def forward(self, source, given):
        memory, state = self.encode(source)
        return self.decode(given, memory, state, source.eq(PAD))[0]

    @torch.no_grad()
    def greedy(self, source, steps):
        memory, state = self.encode(source)
        token = torch.full((source.size(0), 1), BOS)
        said = []
        for _ in range(steps):
            logits, state = self.decode(token, memory, state, source.eq(PAD))
            token = logits.argmax(dim=-1)
            said.append(token)
        return torch.cat(said, dim=1)


torch.manual_seed(6)
model = Seq2Seq()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
loader = DataLoader(pairs(), batch_size=8, shuffle=True, collate_fn=collate)
for epoch in range(3):
    for source, given, wanted in loader:
        logits = model(source, given)
        loss = criterion(logits.transpose(1, 2), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    said = model.greedy(source, wanted.size(1))
    real = wanted.ne(PAD)
    right = (said.eq(wanted) & real).sum().item() / real.sum().item()
    print(f"epoch {epoch} loss {loss.item():.3f} tokens right {right:.2f}")
