import torch
from torch import nn

torch.manual_seed(3)
PAD, VOCAB = 0, 10


class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(VOCAB, 16)
        self.lstm = nn.LSTM(16, 16, batch_first=True)
        self.scores = nn.Linear(16, VOCAB)

    def forward(self, tokens):
        return self.scores(self.lstm(self.table(tokens))[0])


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(VOCAB, 12, padding_idx=PAD)
        self.gru = nn.GRU(12, 12, batch_first=True)
        self.head = nn.Linear(12, 1)

    def forward(self, tokens):
        return self.head(self.gru(self.table(tokens))[0]).squeeze(-1)


def left_padded(rows):
    width = max(map(len, rows))
    return torch.tensor([[PAD] * (width - len(row)) + row for row in rows])


writer, judge = Writer(), Judge().eval()
optimizer = torch.optim.Adam(writer.parameters(), lr=1e-2)
g = torch.Generator().manual_seed(3)
for round_number in range(3):
    rows = [
        torch.randint(1, VOCAB, (int(n),), generator=g).tolist()
        for n in torch.randint(1, 5, (5,), generator=g)
    ]
    tokens = left_padded(rows)
    prompt_mask = (tokens != PAD).float()
    with torch.no_grad():
        for _ in range(4):
            weights = writer(tokens)[:, -1].softmax(-1)
            weights[:, PAD] = 0.0
            tokens = torch.cat((tokens, torch.multinomial(weights, 1)), 1)
        score = judge(tokens)[:, -1]
    mask = torch.cat((prompt_mask, torch.ones(len(tokens), 4)), 1)[:, 1:]
    answer = torch.cat((torch.zeros_like(prompt_mask), torch.ones(len(tokens), 4)), 1)[:, 1:]
    rewards = torch.zeros(tokens[:, 1:].shape)
    rewards[:, -1] = score
    returns = torch.zeros_like(rewards)
    running = torch.zeros(len(tokens))
    for t in reversed(range(rewards.size(1))):
        running = rewards[:, t] + 0.9 * running
        returns[:, t] = running
    scale = returns[answer > 0]
    returns = (returns - scale.mean()) / (scale.std() + 1e-6)
    logp = torch.log_softmax(writer(tokens[:, :-1]), -1)
    chosen = logp.gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1)
    loss = -(chosen * returns * mask * answer).sum() / answer.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"round {round_number} score {score.mean().item():.3f}")
