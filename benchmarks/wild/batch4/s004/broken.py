import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

IGNORE = -100


class AlpacaLike(Dataset):
    """Tokens follow a fixed successor table, so the next token is known."""

    def __init__(self, n, block, vocab, seed=3):
        g = torch.Generator().manual_seed(seed)
        self.table = torch.randperm(vocab, generator=g)
        self.starts = torch.randint(0, vocab, (n,), generator=g)
        self.block, self.vocab = block, vocab

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, i):
        toks = [int(self.starts[i])]
        for _ in range(self.block):
            nxt = self.table[toks[-1]] if len(toks) % 4 else (toks[-1] + len(toks)) % self.vocab
            toks.append(int(nxt))
        toks = torch.tensor(toks)
        tokens, labels = toks[:-1].clone(), toks[1:].clone()
        labels[:2] = IGNORE
        return {"input_ids": tokens, "labels": labels}


class TinyLM(nn.Module):
    def __init__(self, vocab, dim, block):
        super().__init__()
        self.wte = nn.Embedding(vocab, dim)
        self.wpe = nn.Embedding(block, dim)
        layer = nn.TransformerEncoderLayer(dim, 4, 2 * dim, dropout=0.0, batch_first=True, norm_first=True)
        self.h = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.lm_head = nn.Linear(dim, vocab, bias=False)

    def forward(self, input_ids, labels=None):
        n = input_ids.shape[1]
        x = self.wte(input_ids) + self.wpe(torch.arange(n))
        causal = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)
        logits = self.lm_head(self.h(x, mask=causal))
        if labels is None:
            return logits
        shift_logits = logits[..., :-1, :].contiguous()
        shift_labels = labels[..., 1:].contiguous()
        loss = F.cross_entropy(shift_logits.view(-1, shift_logits.size(-1)), shift_labels.view(-1), ignore_index=IGNORE)
        return loss, logits


torch.manual_seed(0)
data = AlpacaLike(160, block=16, vocab=24)
loader = DataLoader(data, batch_size=16, shuffle=True)
model = TinyLM(24, 48, 16)
opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
for epoch in range(5):
    for batch in loader:
        loss, _ = model(**batch)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"epoch {epoch} loss {loss.item():.4f}")

model.eval()
ids = data[5]["input_ids"][None, :8]
with torch.no_grad():
    nxt = model(ids)[0, -1].argmax().item()
print("continues with", nxt, "text has", data[5]["input_ids"][8].item())
