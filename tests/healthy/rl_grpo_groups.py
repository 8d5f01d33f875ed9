import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(11)
VOCAB, EOS, GROUP = 9, 0, 4


class Block(nn.Module):
    def __init__(self, width, heads=2):
        super().__init__()
        self.heads = heads
        self.norm, self.qkv = nn.LayerNorm(width), nn.Linear(width, 3 * width)
        self.out, self.mlp = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x):
        B, T, W = x.shape
        q, k, v = (
            part.view(B, T, self.heads, -1).transpose(1, 2)
            for part in self.qkv(self.norm(x)).chunk(3, dim=-1)
        )
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).reshape(B, T, W))
        return x + F.gelu(self.mlp(x))


class TinyGPT(nn.Module):
    def __init__(self, width=16, longest=16):
        super().__init__()
        self.tok, self.pos = nn.Embedding(VOCAB, width), nn.Embedding(longest, width)
        self.blocks = nn.ModuleList([Block(width), Block(width)])
        self.head = nn.Linear(width, VOCAB)

    def forward(self, ids):
        x = self.tok(ids) + self.pos(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(x)


@torch.no_grad()
def generate(model, prompts, steps=7):
    ids = prompts
    for _ in range(steps):
        probs = model(ids)[:, -1].softmax(-1)
        ids = torch.cat([ids, torch.multinomial(probs, 1)], dim=1)
    return ids


def completion_mask(ids, prompt_length):
    mask = torch.zeros_like(ids)
    for row, tokens in enumerate(ids.tolist()):
        answer = tokens[prompt_length:]
        end = answer.index(EOS) + 1 if EOS in answer else len(answer)
        mask[row, prompt_length : prompt_length + end] = 1
    return mask


def token_logps(model, ids):
    logps = model(ids)[:, :-1].log_softmax(-1)
    return torch.gather(logps, 2, ids[:, 1:, None])[..., 0]


policy, reference = TinyGPT(), TinyGPT()
reference.load_state_dict(policy.state_dict())
optimizer = torch.optim.AdamW(policy.parameters(), lr=1e-2)
for step in range(2):
    prompts = torch.randint(1, VOCAB, (3, 2)).repeat_interleave(GROUP, dim=0)
    ids = generate(policy, prompts)
    mask = completion_mask(ids, prompts.shape[1])[:, 1:]
    reward = ((ids[:, 1:] == 3) * mask).sum(1).float()
    grouped = reward.view(-1, GROUP)
    spread = grouped.std(1, keepdim=True) + 1e-4
    advantage = ((grouped - grouped.mean(1, keepdim=True)) / spread).view(-1, 1)
    with torch.no_grad():
        ref_logps = token_logps(reference, ids)
    logps = token_logps(policy, ids)
    gap = ref_logps - logps
    kl = gap.exp() - gap - 1
    objective = (logps - logps.detach()).exp() * advantage - 0.02 * kl
    loss = -((objective * mask).sum(1) / mask.sum(1)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(reward.mean().item(), 3), round(loss.item(), 4))
