"""Programs as people write them run without weights, and meet the shapes they meet with them."""

# ruff: noqa: E501 - the programs keep the layout their authors gave them

import contextlib
import io
import linecache
import logging
import time
import warnings

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensor

from wellshaped.observe.guard import guard
from wellshaped.observe.weightless import weightless

SETUP = """
import copy, io, math
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
"""


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


# `seen(...)` stands where a program looks at the tensors of its loss.
PROGRAMS = {
    "mlp with accuracy": """
data = TensorDataset(torch.randn(22, 6), torch.randint(0, 3, (22,)))
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
for epoch in range(2):
    correct = total = running = 0
    for x, y in DataLoader(data, batch_size=8, shuffle=True):
        optimizer.zero_grad()
        logits = model(x)
        loss = criterion(logits, y)
        loss.backward()
        optimizer.step()
        running += loss.item() * x.size(0)
        correct += (logits.argmax(dim=1) == y).sum().item()
        total += y.size(0)
        seen(logits, y, loss)
    print(f"epoch {epoch} loss {running / total:.4f} accuracy {100 * correct / total:.1f}%")
model.eval()
with torch.no_grad():
    name = ["cat", "dog", "cow"][model(torch.randn(1, 6)).argmax(1).item()]
""",
    "cnn with batch norm": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.MaxPool2d(2),
            nn.Conv2d(8, 8, 3, padding=1, groups=2), nn.GroupNorm(2, 8), nn.GELU(), nn.AdaptiveAvgPool2d(1))
        self.head = nn.Linear(8, 5)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(m, nn.BatchNorm2d):
                nn.init.constant_(m.weight, 1)
    def forward(self, x):
        return self.head(torch.flatten(self.features(x), 1))
net = Net()
net.train()
opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.01)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=4)
for step in range(3):
    images, labels = torch.rand(4, 3, 16, 16), torch.randint(0, 5, (4,))
    out = net(images)
    loss = F.nll_loss(F.log_softmax(out, dim=1), labels)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    sched.step()
    seen(out, loss)
net.eval()
with torch.no_grad():
    probs = net(torch.rand(2, 3, 16, 16)).softmax(-1)
    top = probs.topk(2, dim=-1)
    seen(top.values, top.indices)
print(sched.get_last_lr(), net.features[1].running_mean.shape)
""",
    "lstm with packing": """
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 8, padding_idx=0)
        self.lstm = nn.LSTM(8, 12, num_layers=2, bidirectional=True, batch_first=True, dropout=0.1)
        self.out = nn.Linear(24, 4)
        self.cls = nn.Linear(24, 2)
    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.embed(x), lengths, batch_first=True, enforce_sorted=False)
        packed, (h, c) = self.lstm(packed)
        padded, _ = pad_packed_sequence(packed, batch_first=True, total_length=x.size(1))
        return self.out(padded), self.cls(torch.cat([h[-2], h[-1]], dim=1))
seqs = [torch.randint(1, 30, (n,)) for n in (5, 9, 2)]
lengths = torch.tensor([len(s) for s in seqs])
x = pad_sequence(seqs, batch_first=True)
tags = torch.where(x > 0, x % 4, -100)
model = Tagger()
opt = torch.optim.Adam(model.parameters())
for _ in range(2):
    scores, cls = model(x, lengths)
    loss = F.cross_entropy(scores.reshape(-1, 4), tags.reshape(-1), ignore_index=-100)
    loss = loss + F.cross_entropy(cls, torch.tensor([0, 1, 1]))
    opt.zero_grad(); loss.backward(); opt.step()
    seen(scores, cls, loss)
gru = nn.GRU(8, 6)
out, h = gru(torch.randn(7, 3, 8))
rnn = nn.RNN(8, 6, nonlinearity="relu")
out2, h2 = rnn(pack_padded_sequence(torch.randn(7, 3, 8), [7, 4, 4]))
cell = nn.LSTMCell(8, 5)
hx, cx = cell(torch.randn(3, 8))
seen(out, h, out2.data, out2.batch_sizes, h2, hx, cx)
(out.sum() + out2.data.sum() + hx.sum()).backward()
seen(gru.weight_ih_l0.grad)
""",
    "nn.Transformer with masks": """
class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.source, self.target = nn.Embedding(20, 16), nn.Embedding(24, 16)
        self.transformer = nn.Transformer(16, 4, 1, 2, 32, batch_first=True)
        self.head = nn.Linear(16, 24)
    def forward(self, s, t):
        causal = nn.Transformer.generate_square_subsequent_mask(t.size(1))
        pad = s == 0
        y = self.transformer(self.source(s) * math.sqrt(16), self.target(t), tgt_mask=causal,
                             src_key_padding_mask=pad, memory_key_padding_mask=pad, tgt_is_causal=True)
        return self.head(y)
model = Translator()
opt = torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-9)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min((s + 1) ** -0.5, (s + 1) * 4000 ** -1.5))
for _ in range(1):
    s, t = torch.randint(0, 20, (3, 7)), torch.randint(0, 24, (3, 6))
    logits = model(s, t[:, :-1])
    loss = F.cross_entropy(logits.transpose(1, 2), t[:, 1:])
    opt.zero_grad(); loss.backward(); opt.step(); sched.step()
    seen(logits, loss)
model.eval()
with torch.no_grad():
    tokens = torch.ones(1, 1, dtype=torch.long)
    for _ in range(2):
        nxt = model(s[:1], tokens)[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, nxt], dim=1)
        if nxt.item() == 99:
            break
    seen(tokens)
""",
    "encoder with tied embeddings": """
class Bert(nn.Module):
    def __init__(self, vocab=50, d=16):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.register_buffer("positions", torch.arange(12))
        self.pos = nn.Embedding(12, d)
        layer = nn.TransformerEncoderLayer(d, 2, 32, activation="gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, norm=nn.LayerNorm(d))
        self.decoder = nn.Linear(d, vocab, bias=False)
        self.decoder.weight = self.tok.weight
    def forward(self, ids, mask):
        x = self.tok(ids) + self.pos(self.positions[: ids.size(1)])
        return self.decoder(self.encoder(x, src_key_padding_mask=~mask))
model = Bert()
assert model.decoder.weight is model.tok.weight
print(sum(p.numel() for p in model.parameters() if p.requires_grad))
decay = [p for n, p in model.named_parameters() if p.ndim >= 2]
rest = [p for n, p in model.named_parameters() if p.ndim < 2]
opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=1e-3)
ids = torch.randint(1, 50, (4, 10))
mask = torch.arange(10) < torch.tensor([10, 7, 3, 1])[:, None]
labels = ids.masked_fill(torch.rand(ids.shape) > 0.5, -100)
logits = model(ids, mask)
loss = F.cross_entropy(logits.view(-1, 50), labels.view(-1))
loss.backward(); opt.step()
picked = logits[mask]
seen(logits, loss, picked)
model.eval()
with torch.inference_mode():
    seen(model(ids, mask))
""",
    "vae": """
class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.mu, self.logvar = nn.Linear(20, 16), nn.Linear(16, 4), nn.Linear(16, 4)
        self.dec = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 20), nn.Sigmoid())
    def forward(self, x):
        h = F.relu(self.enc(x))
        mu, logvar = self.mu(h), self.logvar(h)
        std = torch.exp(0.5 * logvar)
        return self.dec(mu + torch.randn_like(std) * std), mu, logvar
vae = VAE()
opt = torch.optim.Adam(vae.parameters(), lr=1e-3)
train_loss = 0
for _ in range(3):
    x = torch.rand(8, 20)
    recon, mu, logvar = vae(x)
    bce = F.binary_cross_entropy(recon, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    opt.zero_grad(); (bce + kld).backward(); opt.step()
    train_loss += (bce + kld).item()
    seen(recon, bce, kld)
normal = torch.distributions.Normal(mu, torch.exp(0.5 * logvar))
kl = torch.distributions.kl_divergence(normal, torch.distributions.Normal(0.0, 1.0)).sum(1).mean()
seen(normal.rsample(), kl)
""",
    "gan with two optimizers": """
from torch.nn.utils import spectral_norm
G = nn.Sequential(nn.Linear(4, 32), nn.LeakyReLU(0.2), nn.Unflatten(1, (2, 4, 4)),
                  nn.ConvTranspose2d(2, 1, 4, 2, 1), nn.Tanh())
D = nn.Sequential(spectral_norm(nn.Conv2d(1, 4, 3, 2, 1)), nn.LeakyReLU(0.2), nn.Flatten(), nn.Linear(64, 1))
og, od = torch.optim.Adam(G.parameters(), 2e-4, (0.5, 0.999)), torch.optim.RMSprop(D.parameters(), 2e-4)
bce = nn.BCEWithLogitsLoss()
for real in torch.rand(2, 6, 1, 8, 8):
    fake = G(torch.randn(6, 4))
    real_loss = bce(D(real), torch.ones(6, 1))
    fake_loss = bce(D(fake.detach()), torch.zeros(6, 1))
    eps = torch.rand(6, 1, 1, 1)
    mixed = (eps * real + (1 - eps) * fake.detach()).requires_grad_(True)
    score = D(mixed)
    grad, = torch.autograd.grad(score, mixed, torch.ones_like(score), create_graph=True)
    penalty = ((grad.view(6, -1).norm(2, dim=1) - 1) ** 2).mean()
    od.zero_grad(); (real_loss + fake_loss + 10 * penalty).backward(); od.step()
    for p in D.parameters():
        p.data.clamp_(-0.01, 0.01)
    g_loss = bce(D(fake), torch.ones(6, 1))
    og.zero_grad(); g_loss.backward(); og.step()
    seen(fake, real_loss, penalty, g_loss)
    print("D(x): %.3f G(z): %.3f" % (D(real).sigmoid().mean().item(), g_loss))
""",
    "attention from scratch": """
class Attention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.h = heads
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.register_buffer("mask", torch.tril(torch.ones(16, 16)).view(1, 1, 16, 16))
    def forward(self, x, pad=None):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, self.h, C // self.h).transpose(1, 2) for t in self.qkv(x).split(C, dim=2))
        att = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
        att = att.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))
        if pad is not None:
            att = att.masked_fill(pad[:, None, None, :], -1e9)
        y = F.softmax(att, dim=-1) @ v
        z = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.proj((y + z).transpose(1, 2).contiguous().view(B, T, C))
class Block(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.ln1, self.ln2, self.att = nn.LayerNorm(d), nn.LayerNorm(d), Attention(d, 4)
        self.mlp = nn.ModuleDict(dict(fc=nn.Linear(d, 4 * d), out=nn.Linear(4 * d, d)))
    def forward(self, x, pad):
        x = x + self.att(self.ln1(x), pad)
        return x + self.mlp["out"](F.gelu(self.mlp["fc"](self.ln2(x))))
emb, blocks, head = nn.Embedding(40, 16), nn.ModuleList(Block() for _ in range(2)), nn.Linear(16, 40)
params = [*emb.parameters(), *blocks.parameters(), *head.parameters()]
opt = torch.optim.AdamW(params, fused=True)
for _ in range(2):
    idx = torch.randint(0, 40, (3, 9))
    x = emb(idx)
    for block in blocks:
        x = block(x, idx == 0)
    logits = head(x)
    loss = F.cross_entropy(logits[:, :-1].flatten(0, 1), idx[:, 1:].flatten())
    opt.zero_grad(); loss.backward()
    torch.nn.utils.clip_grad_norm_(params, 1.0)
    opt.step()
    seen(logits, loss)
probs = torch.softmax(logits[:, -1] / 0.8, -1)
v, _ = torch.topk(probs, 5)
probs[probs < v[:, [-1]]] = 0
seen(torch.multinomial(probs, num_samples=1), torch.einsum("btd,bsd->bts", x, x))
""",
    "ema by deepcopy": """
model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Tanh(), nn.Linear(8, 1))
ema = copy.deepcopy(model).eval()
for p in ema.parameters():
    p.requires_grad_(False)
swa = torch.optim.swa_utils.AveragedModel(model)
opt = torch.optim.Adam(model.parameters(), foreach=True)
for _ in range(3):
    x, y = torch.randn(8, 4), torch.randn(8, 1)
    loss = F.mse_loss(model(x), y)
    opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad():
        for e, p in zip(ema.parameters(), model.parameters()):
            e.mul_(0.99).add_(p, alpha=0.01)
        for e, b in zip(ema.buffers(), model.buffers()):
            e.copy_(b)
    for e, p in zip(ema.state_dict().values(), model.state_dict().values()):
        e.copy_(e * 0.9 + p * 0.1)
    swa.update_parameters(model)
    seen(loss, ema(x), swa(x))
target = copy.deepcopy(model)
target.load_state_dict(model.state_dict())
seen(target(x))
""",
    "autocast and grad scaler": """
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2)).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler(device)
for _ in range(2):
    x, y = torch.randn(5, 6).to(device, non_blocking=True), torch.randint(0, 2, (5,), device=device)
    with torch.autocast(device_type=device, dtype=torch.bfloat16):
        out = model(x)
        loss = F.cross_entropy(out, y)
        other = F.mse_loss(out, torch.zeros(5, 2))
    seen(out, loss, other)
    opt.zero_grad()
    scaler.scale(loss + other).backward()
    scaler.unscale_(opt)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    scaler.step(opt)
    scaler.update()
print(scaler.get_scale())
""",
    "schedulers and clipping": """
model = nn.Linear(5, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
one = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=10)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=1)
for step in range(6):
    pred = model(torch.randn(7, 5)).squeeze(1)
    loss = nn.SmoothL1Loss()(pred, torch.randn(7)) / 2
    loss.backward()
    if (step + 1) % 2 == 0:
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)
        nn.utils.clip_grad_value_(model.parameters(), 0.5)
        opt.step(); one.step(); opt.zero_grad()
        plateau.step(loss)
        print(norm.item(), float(norm), opt.param_groups[0]["lr"])
    seen(pred, loss)
""",
    "checkpoint": """
def build():
    return nn.Sequential(nn.Conv1d(2, 4, 3), nn.BatchNorm1d(4), nn.Flatten(), nn.Linear(24, 2))
model = build()
opt = torch.optim.Adam(model.parameters())
x, y = torch.randn(3, 2, 8), torch.tensor([0, 1, 1])
F.cross_entropy(model(x), y).backward(); opt.step()
file, whole = io.BytesIO(), io.BytesIO()
torch.save({"model": model.state_dict(), "opt": opt.state_dict(), "epoch": 3, "loss": model(x).sum()}, file)
torch.save(model, whole)
file.seek(0); whole.seek(0)
state = torch.load(file, map_location="cpu")
again = build()
assert not again.load_state_dict(state["model"]).missing_keys
opt = torch.optim.Adam(again.parameters())
opt.load_state_dict(state["opt"])
loss = F.cross_entropy(again(x), y)
opt.zero_grad(); loss.backward(); opt.step()
model = torch.load(whole, weights_only=False)
one = io.BytesIO()
torch.save([model[3].weight, torch.ones(2).expand(3, 2)], one)
one.seek(0)
seen(loss, model(x), again.state_dict()["3.weight"], *torch.load(one))
print(state["epoch"], state["loss"].item())
""",
    "parameter list and own arithmetic": """
class Mix(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.ParameterList([nn.Parameter(torch.randn(4, 4) / 2) for _ in range(3)])
        self.d = nn.ParameterDict({"scale": nn.Parameter(torch.ones(4)), "t": nn.Parameter(torch.tensor(0.5))})
        self.u = nn.Parameter(torch.empty(4, 2))
        self.low = torch.nn.Parameter(torch.zeros(2), requires_grad=False)
        self.reset_parameters()
    def reset_parameters(self):
        nn.init.xavier_uniform_(self.u)
        nn.init.orthogonal_(self.w[0])
        nn.init.trunc_normal_(self.w[1], std=0.02)
        with torch.no_grad():
            self.w[2].copy_(torch.eye(4))
            self.w[2][0, 0] = 3.0
            self.low.fill_(1)
    def forward(self, x):
        for w in self.w:
            x = torch.tanh(x @ w.t()) * self.d["scale"]
        return x @ self.u / self.d["t"].clamp(min=0.1) + self.low
m = Mix()
lr = 0.1
for _ in range(3):
    out = m(torch.randn(6, 4))
    loss = F.multi_margin_loss(out, torch.randint(0, 2, (6,)))
    m.zero_grad(); loss.backward()
    with torch.no_grad():
        for p in m.parameters():
            if p.grad is not None:
                p -= lr * p.grad
                p.data.add_(p.grad, alpha=-lr)
                p.grad.zero_()
    seen(out, loss)
flat = nn.utils.parameters_to_vector(m.parameters())
nn.utils.vector_to_parameters(flat * 0.5, m.parameters())
m.u.data = torch.randn(4, 2)
m.half().float()
seen(flat, m(torch.randn(2, 4)))
w = torch.randn(4, requires_grad=True)
(w * m.u[:, 0]).sum().backward()
seen(w.grad)
""",
    "many losses": """
net = nn.Linear(4, 6)
opt = torch.optim.Adagrad(net.parameters())
x = torch.randn(5, 4)
a, b = net(x).chunk(2, dim=1)
losses = [
    F.huber_loss(a, torch.randn(5, 3)),
    F.kl_div(a.log_softmax(1), b.softmax(1), reduction="batchmean"),
    F.binary_cross_entropy_with_logits(a, torch.rand(5, 3), pos_weight=torch.ones(3)),
    nn.TripletMarginLoss()(a, b, a.roll(1, 0)),
    nn.CosineEmbeddingLoss(margin=0.1)(a, b, torch.tensor([1, -1, 1, 1, -1])),
    nn.MarginRankingLoss()(a[:, 0], b[:, 0], torch.ones(5)),
    nn.PoissonNLLLoss()(a, torch.rand(5, 3)), nn.L1Loss(reduction="none")(a, b).mean(),
    nn.GaussianNLLLoss()(a, torch.randn(5, 3), F.softplus(b)),
    F.hinge_embedding_loss(a, torch.ones(5, 3)), F.soft_margin_loss(a, torch.ones(5, 3)),
    F.multilabel_soft_margin_loss(a, torch.rand(5, 3)), nn.BCELoss()(a.sigmoid(), torch.rand(5, 3)),
    nn.CTCLoss()(net(torch.randn(9, 5, 4)).log_softmax(2), torch.randint(1, 6, (5, 4)), torch.full((5,), 9), torch.full((5,), 4)),
    F.triplet_margin_with_distance_loss(a, b, a.flip(0), distance_function=lambda p, q: 1 - F.cosine_similarity(p, q)),
]
adaptive = nn.AdaptiveLogSoftmaxWithLoss(4, 20, [5, 10])
out = adaptive(net.weight[:5], torch.randint(0, 20, (5,)))
loss = sum(losses) + out.loss
opt.zero_grad(); loss.backward(); opt.step()
seen(*losses, out.output, out.loss, loss, net.weight.grad, adaptive.head.weight.grad)
""",
    "contrastive": """
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(8, 4), nn.Linear(6, 4)
        self.scale = nn.Parameter(torch.tensor(np.log(1 / 0.07), dtype=torch.float32))
    def forward(self, x, y):
        x, y = F.normalize(self.a(x), dim=-1), F.normalize(self.b(y), dim=-1)
        return self.scale.exp() * x @ y.T
enc = Encoder()
opt = torch.optim.LBFGS(enc.parameters(), max_iter=3)
x, y = torch.randn(6, 8), torch.randn(6, 6)
def closure():
    opt.zero_grad()
    sim = enc(x, y)
    t = torch.arange(sim.size(0), device=sim.device)
    loss = (F.cross_entropy(sim, t) + F.cross_entropy(sim.t(), t)) / 2
    loss.backward()
    seen(sim, loss)
    return loss
opt.step(closure)
z = torch.cat([enc.a(x), enc.a(x)])
sim = F.cosine_similarity(z[:, None], z[None], dim=-1)
sim = sim.masked_fill(torch.eye(12, dtype=torch.bool), -9e15)
pos = torch.cat([sim.diag(6), sim.diag(-6)])
nt = (-pos + torch.logsumexp(sim, dim=-1)).mean()
negatives = sim[~torch.eye(12, dtype=torch.bool)].view(12, -1)
seen(nt, negatives)
nt.backward()
""",
    "early stopping": """
model = nn.Linear(3, 1)
opt = torch.optim.Adam(model.parameters())
best, bad, history = float("inf"), 0, []
best_loss = torch.tensor(float("inf"))
for epoch in range(50):
    loss = F.mse_loss(model(torch.randn(4, 3)), torch.randn(4, 1))
    if torch.isnan(loss).any() or not torch.isfinite(loss):
        raise ValueError("diverged")
    assert loss >= 0 and not loss.isinf()
    opt.zero_grad(); loss.backward(); opt.step()
    history.append(float(loss))
    if loss < best:
        best, bad = loss.item(), 0
    else:
        bad += 1
    best_loss = min(best_loss, loss.detach())
    if bad >= 3:
        break
    seen(loss)
print(np.mean(history), max(history), int(loss * 100), round(loss.item(), 3))
steps = 0
while loss.item() > 1e-3 and steps < 5:
    steps += 1
""",
    "predictions to numpy": """
model = nn.Sequential(nn.Linear(3, 4), nn.Softmax(dim=1))
preds, labels, probs = [], [], []
model.eval()
with torch.no_grad():
    for _ in range(3):
        x, y = torch.randn(5, 3), torch.randint(0, 4, (5,))
        p = model(x)
        preds.extend(p.argmax(1).cpu().numpy())
        probs.append(p.cpu())
        labels.extend(y.tolist())
seen(p, torch.cat(probs))
confusion = np.zeros((4, 4), dtype=int)
for t, q in zip(labels, preds):
    confusion[t, q] += 1
assert confusion.sum() == 15
print(np.asarray(torch.cat(probs)).mean(), p, p[0], f"{p.mean():.3f}", p.max().item())
logits = model(x)
assert logits.detach().numpy().dtype == np.float32
scores = torch.tensor([m.mean() for m in probs])
seen(scores, torch.stack([l.sum() for l in logits]), torch.from_numpy(logits.detach().numpy()))
""",
    "absent devices": """
device = torch.device("cuda:0" if want_cuda else "cpu")
torch.cuda.manual_seed_all(0)
model = nn.Sequential(nn.Embedding(9, 4), nn.Flatten(), nn.Linear(12, 2))
if want_cuda:
    torch.cuda.set_device(0); model.cuda(); model = nn.DataParallel(model); torch.cuda.synchronize()
model = model.to(device)
model = torch.compile(model, mode="max-autotune") if want_cuda else model
@(torch.compile(dynamic=True) if want_cuda else lambda f: f)
def step(x, y):
    return F.cross_entropy(model(x), y, weight=torch.ones(2, device=device))
mps = "mps" if want_cuda else "cpu"
with torch.device(device):
    extra = torch.zeros(5, 2)
for x, y in DataLoader(TensorDataset(torch.randint(0, 9, (5, 3)), torch.randint(0, 2, (5,))), batch_size=5):
    x, y = x.to(device), y.to(mps)
    loss = step(x, y) + (model(x) * extra).sum() + torch.randn(1, device=mps, generator=torch.Generator(device)).sum()
    loss.backward()
    seen(loss, torch.zeros(3, device=device).new_ones(2))
""",
    "masks and choices": """
net = nn.Linear(4, 3)
x, y = torch.randn(8, 4), torch.randint(0, 3, (8,))
real_mask = torch.tensor([True, False] * 4)
out = net(x)
loss = F.cross_entropy(out[real_mask], y[real_mask])
seen(out[real_mask], loss, out.masked_select(real_mask[:, None]), out[:, torch.tensor([True, False, True])])
mask = out.max(1).values > 0
kept, targets = out[mask], y[mask]
assert kept.shape[0] == targets.shape[0]
hard = F.cross_entropy(kept, targets) if mask.any() else out.sum() * 0
ids = torch.nonzero(mask).squeeze(1)
classes, counts = torch.unique(out.argmax(1), return_counts=True)
out2 = out.clone()
out2[mask] = 0.0
out2[real_mask] = out[~real_mask]
best = torch.where(out > 0, out, torch.zeros_like(out)).topk(2).indices
rows = out.gather(1, best)
routed = torch.zeros_like(out).index_add(0, torch.arange(8) % 2, out)
routed = routed.scatter_add(1, best, rows)
(loss + hard + out2.sum() + rows.sum() + routed.sum()).backward()
top = F.one_hot(out.argmax(1), num_classes=3).float()
order = torch.argsort(out[:, 0], descending=True)
seen(top, out[order], out2, rows, routed, net.weight.grad, torch.bincount(y, minlength=3))
results = torch.zeros(8, 3)
for i in range(8):
    results[i] = net(x[i])
loss = F.mse_loss(results, torch.zeros(8, 3))
net.zero_grad(); loss.backward()
seen(results, loss, net.weight.grad)
""",
    "seq2seq with teacher forcing": """
import random
random.seed(0)
class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.gru, self.out = nn.Embedding(11, 6), nn.GRU(6, 8), nn.Linear(8, 11)
        self.attn = nn.MultiheadAttention(8, 2)
    def forward(self, token, hidden, memory):
        y, hidden = self.gru(self.emb(token)[None], hidden)
        ctx, weights = self.attn(y, memory, memory)
        return self.out((y + ctx)[0]), hidden
enc, dec = nn.GRU(6, 8), Decoder()
opt = torch.optim.NAdam([*enc.parameters(), *dec.parameters()])
memory, hidden = enc(dec.emb(torch.randint(0, 11, (5, 3))))
target = torch.randint(0, 11, (4, 3))
token, loss, outputs = torch.zeros(3, dtype=torch.long), 0, torch.zeros(4, 3, 11)
for t in range(4):
    logits, hidden = dec(token, hidden, memory)
    outputs[t] = logits
    loss = loss + F.cross_entropy(logits, target[t])
    token = target[t] if random.random() < 0.5 else logits.topk(1)[1].squeeze(-1).detach()
total = loss + F.cross_entropy(outputs.view(-1, 11), target.view(-1))
opt.zero_grad(); total.backward(); opt.step()
seen(logits, hidden, loss, total, outputs)
hidden = hidden.detach()
words = ["w%d" % i.item() for i in logits.argmax(1)]
""",
    "policy gradient": """
from torch.distributions import Categorical
policy, value = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2)), nn.Linear(4, 1)
opt = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=1e-2)
for episode in range(2):
    state, logs, rewards, values, ents = np.zeros(4, dtype=np.float32), [], [], [], []
    for _ in range(5):
        s = torch.from_numpy(state).unsqueeze(0)
        dist = Categorical(F.softmax(policy(s), dim=-1))
        action = dist.sample()
        logs.append(dist.log_prob(action)); ents.append(dist.entropy()); values.append(value(s))
        state = state + [0.1, -0.1][action.item()]
        state = state.astype(np.float32)
        rewards.append(1.0)
    returns = torch.tensor(np.cumsum(rewards[::-1])[::-1].copy(), dtype=torch.float32)
    returns = (returns - returns.mean()) / (returns.std() + 1e-8)
    adv = returns - torch.cat(values).squeeze(-1)
    ratio = torch.exp(torch.cat(logs) - torch.cat(logs).detach())
    clipped = torch.min(ratio * adv.detach(), torch.clamp(ratio, 0.8, 1.2) * adv.detach())
    loss = -clipped.mean() + F.smooth_l1_loss(torch.cat(values).squeeze(-1), returns) - 0.01 * torch.stack(ents).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    seen(adv, loss)
""",
    "unet with checkpointing": """
from torch.utils.checkpoint import checkpoint
from torch.nn.utils.parametrizations import weight_norm
class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.InstanceNorm2d(4, affine=True), nn.PReLU())
        self.mid = weight_norm(nn.Conv2d(4, 8, 3, padding=1))
        self.up = nn.ConvTranspose2d(8, 4, 2, stride=2)
        self.out = nn.Conv2d(8, 2, 1)
    def forward(self, x):
        a = checkpoint(self.down, x, use_reentrant=False)
        b = F.relu(self.mid(F.max_pool2d(a, 2)))
        b = self.up(b) + F.interpolate(b, scale_factor=2, mode="bilinear", align_corners=False)[:, :4]
        return self.out(torch.cat([a, b], dim=1))
net = UNet()
net.apply(lambda m: nn.init.zeros_(m.bias) if isinstance(m, nn.Conv2d) else None)
hooks = []
net.down.register_forward_hook(lambda m, i, o: hooks.append(o.shape))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    x, y = torch.rand(2, 1, 8, 8), torch.randint(0, 2, (2, 8, 8))
    logits = net(x)
    probs = logits.softmax(1)[:, 1]
    dice = 1 - (2 * (probs * y).sum() + 1) / (probs.sum() + y.sum() + 1)
    loss = F.cross_entropy(logits, y, weight=torch.tensor([0.3, 0.7])) + dice
    opt.zero_grad(); loss.backward(); opt.step()
    iou = ((logits.argmax(1) == 1) & (y == 1)).sum().float() / max(1, (y == 1).sum())
    seen(logits, dice, loss, iou)
    print(iou.item(), f"{loss:.3f}", hooks[-1])
""",
}

BROKEN = {
    "column target": """
loss = F.cross_entropy(nn.Linear(4, 3)(torch.randn(8, 4)), torch.zeros(8, 1, dtype=torch.long))
""",
    "float class numbers": """
loss = nn.CrossEntropyLoss()(nn.Linear(4, 3)(torch.randn(8, 4)), torch.zeros(8))
""",
    "class number out of range": """
loss = nn.CrossEntropyLoss()(nn.Linear(4, 3)(torch.randn(8, 4)), torch.arange(8))
""",
    "wrong features": """
nn.Sequential(nn.Flatten(), nn.Linear(10, 2))(torch.randn(3, 4, 4))
""",
    "double data": """
nn.Linear(4, 2)(torch.from_numpy(np.ones((3, 4))))
""",
    "double data, large": """
nn.Linear(1024, 2048)(torch.ones(300, 1024, dtype=torch.float64))
""",
    "double target": """
loss = F.huber_loss(nn.Linear(4, 1)(torch.randn(3, 4)), torch.ones(3, 1, dtype=torch.float64))
loss.backward()
""",
    "no such axis": """
F.softmax(nn.Linear(4, 2)(torch.randn(3, 4)), dim=2)
""",
    "softmax of integers": """
nn.Linear(4, 2)(torch.randn(3, 4)).long().softmax(1)
""",
    "bce shapes": """
nn.BCEWithLogitsLoss()(nn.Linear(4, 1)(torch.randn(8, 4)), torch.ones(8))
""",
    "ranks of a ranking": """
out = nn.Linear(4, 1)(torch.randn(8, 4))
nn.MarginRankingLoss()(out, out, torch.ones(8))
""",
    "missing channels": """
nn.Conv2d(3, 8, 3)(torch.rand(2, 1, 8, 8))
""",
    "unsorted lengths": """
from torch.nn.utils.rnn import pack_padded_sequence
pack_padded_sequence(nn.Linear(4, 2)(torch.randn(2, 5, 4)), [2, 5], batch_first=True)
""",
    "token out of vocabulary": """
nn.Embedding(5, 3)(torch.tensor([[1, 7]]))
""",
    "concatenated sizes": """
torch.cat([nn.Linear(4, 2)(torch.randn(3, 4)), torch.zeros(4, 2)], dim=1)
""",
    "wrong mask": """
nn.Linear(4, 2)(torch.randn(3, 4))[torch.tensor([True, False])]
""",
    "large target": """
loss = F.cross_entropy(nn.Linear(4, 600)(torch.randn(32, 700, 4)), torch.zeros(32, 700, dtype=torch.long))
""",
    "ambiguous truth": """
if nn.Linear(4, 2)(torch.randn(3, 4)) > 0: pass
""",
    "numpy with gradient": """
nn.Linear(4, 2)(torch.randn(3, 4)).numpy()
""",
    "not a scalar": """
nn.Linear(4, 2)(torch.randn(3, 4)).backward()
""",
    "item of many": """
nn.Linear(4, 2)(torch.randn(3, 4)).item()
""",
    "hidden state": """
nn.LSTM(4, 6)(torch.randn(3, 2, 4), (torch.zeros(1, 3, 6), torch.zeros(1, 3, 6)))
""",
    "adaptive rows": """
nn.AdaptiveLogSoftmaxWithLoss(4, 20, [5])(nn.Linear(4, 4)(torch.randn(5, 4)), torch.zeros(4, dtype=torch.long))
""",
    "view of a transposed tensor": """
out = nn.Linear(4, 6)(torch.randn(2, 5, 4)).transpose(1, 2)
out.view(2, 30)
""",
    "view after a recurrent layer": """
out, _ = nn.LSTM(4, 6, batch_first=True)(torch.randn(3, 5, 4))
out.view(15, 6)
""",
    "packed along the other axis": """
from torch.nn.utils.rnn import pack_padded_sequence
packed = pack_padded_sequence(nn.Linear(4, 4)(torch.randn(3, 7, 4)), [7, 5, 2], enforce_sorted=False)
nn.LSTM(4, 6, batch_first=True)(packed)
""",
    "in place": """
w = nn.Parameter(torch.zeros(3)); w += 1
""",
}


def _executed(source, *, dry=False):
    """The layouts of the tensors that a program met, its namespace, and the run."""
    met, source = [], SETUP + source
    file = f"<program {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)

    def seen(*tensors):
        met.extend(
            (tuple(each.shape), each.dtype, each.requires_grad, each.stride()) for each in tensors
        )

    space = {"seen": seen, "want_cuda": dry, "__name__": "__main__"}
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        with weightless() if dry else contextlib.nullcontext() as run:
            exec(compile(source, file, "exec"), space)
    return met, space, run


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_runs_and_meets_the_same_shapes(name):
    real, _, _ = _executed(PROGRAMS[name])
    dry, _, run = _executed(PROGRAMS[name], dry=True)
    assert real
    assert run.parameter_count > 0
    # A stand-in may end an early stop at another epoch: what was met must be the same.
    assert list(dict.fromkeys(dry)) == list(dict.fromkeys(real))


@pytest.mark.parametrize("name", BROKEN)
def test_broken_program_raises_what_torch_raises(name):
    with pytest.raises(Exception) as real:  # noqa: PT011 - whatever torch raises
        _executed(BROKEN[name])
    with pytest.raises(Exception) as dry:  # noqa: PT011
        _executed(BROKEN[name], dry=True)
    assert (dry.type, str(dry.value)) == (real.type, str(real.value))


STAND_INS = """
net = nn.Linear(4, 3)
out = net(torch.randn(6, 4))
if out.mean() < best:
    pass
best = max(best, out.max().item())
print(f"{out.sum():.2f}")
rows = out[out[:, 0] > 0]
total = torch.randn(3).sum().item()
names = ["a", "b", "c"][out[0].argmax().item()]
"""


def test_lines_that_rest_on_stand_ins_are_recorded_once():
    source = "best = 1.0\nfor _ in range(3):\n" + STAND_INS.replace("\n", "\n    ")
    _, space, run = _executed(source, dry=True)
    first = SETUP.count("\n") + 3
    met = [(each.place.line - first, each.kind) for each in run.stand_ins]
    assert met == [(3, "branch"), (5, "value"), (6, "text"), (7, "size"), (9, "value")]
    assert space["rows"].shape == (3, 3)
    assert isinstance(space["best"], float)
    assert run.parameter_count == 15 * 3


def test_same_seed_gives_the_same_values():
    source = "values = nn.Linear(4, 3)(torch.ones(6, 4)).tolist()"
    assert _executed(source, dry=True)[1]["values"] == _executed(source, dry=True)[1]["values"]


def test_data_stays_real_and_what_it_wrote_into_does_not():
    source = """
data = torch.arange(6.0).view(2, 3)
assert data.sum().item() == 15.0 and (data * 2).max() == 10
out = nn.Linear(3, 2)(data)
table = torch.zeros(4, 2)
view = table[:2]
view.copy_(out)
"""
    _, space, run = _executed(source, dry=True)
    assert type(space["data"]) is torch.Tensor
    assert isinstance(space["out"], FakeTensor)
    assert not run.unknown(space["data"])
    assert run.unknown(space["table"])
    assert run.stand_ins == ()


def test_our_own_observers_get_no_stand_in_for_a_value():
    with weightless() as run, guard("record") as watch:
        torch.nn.MSELoss()(torch.nn.Linear(4, 1)(torch.randn(8, 4)), torch.randn(8))
    (call,) = watch.calls
    assert (call.count, call.values) == (1, None)
    assert run.stand_ins == ()


def test_everything_is_restored_even_after_a_failure():
    owners = (
        torch, torch.nn.Parameter, torch.nn.Module, torch.jit, torch.cuda, torch.mps, torch.utils,
        torch._C._nn, torch.nn.AdaptiveLogSoftmaxWithLoss, torch.utils._device.DeviceContext,
        torch.Tensor, FakeTensor, torch.nn.functional,
    )  # fmt: skip
    before = [dict(vars(owner)) for owner in owners]
    with pytest.raises(ZeroDivisionError):
        _executed("nn.Linear(2, 2)\n1 / 0", dry=True)
    assert [dict(vars(owner)) for owner in owners] == before
    assert torch._C._len_torch_function_stack() == 0
    assert torch._C._len_torch_dispatch_stack() == 0
    assert not logging.getLogger("torch._subclasses.fake_tensor").disabled
    assert type(torch.nn.Linear(2, 2).weight) is torch.nn.Parameter


WIDE = """
class Block(nn.Module):
    def __init__(self, d, wide):
        super().__init__()
        self.norm, self.att = nn.LayerNorm(d), nn.MultiheadAttention(d, 64, batch_first=True)
        self.up, self.down = nn.Linear(d, wide), nn.Parameter(torch.randn(wide, d) * 0.02)
    def forward(self, x):
        y = self.norm(x)
        x = x + self.att(y, y, y, need_weights=False)[0]
        return x + F.silu(self.up(x)) @ self.down
model = nn.Sequential(nn.Embedding(128256, 8192), *[Block(8192, 28672) for _ in range(30)], nn.Linear(8192, 1))
opt = torch.optim.AdamW(model.parameters())
scores = model(torch.randint(0, 128256, (2, 512)))[:, -1, 0]
loss = F.binary_cross_entropy_with_logits(scores, torch.ones(2))
loss.backward()
opt.step()
seen(scores, loss)
"""


def test_a_model_that_fits_nowhere_takes_seconds_and_no_memory():
    resource = pytest.importorskip("resource")
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    met, _, run = _executed(WIDE, dry=True)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert run.parameter_count > 20e9
    assert [shape for shape, *_ in met] == [(2,), ()]
    assert grown < 500_000  # kilobytes
    assert time.perf_counter() - start < 30


def test_transformers_model_from_a_config():
    transformers = pytest.importorskip("transformers")
    with weightless() as run:
        config = transformers.LlamaConfig(
            hidden_size=8192, intermediate_size=28672, num_hidden_layers=4, num_attention_heads=64,
            num_key_value_heads=8, vocab_size=1000, num_labels=1, pad_token_id=0,
        )  # fmt: skip
        model = transformers.LlamaForSequenceClassification(config)
        ids = torch.randint(1, 1000, (3, 16))
        logits = model(ids, attention_mask=torch.ones_like(ids)).logits
        logits.mean().backward()
    assert logits.shape == (3, 1)
    assert run.parameter_count > 3e9


def test_a_safetensors_file_without_weights_has_its_shapes_and_its_holes(tmp_path):
    files = pytest.importorskip("safetensors.torch")
    with weightless():
        model = torch.nn.Linear(2**12, 2**12)
        model.register_buffer("steps", torch.tensor([3, 4]))
        tied = {**model.state_dict(), "again": model.state_dict()["weight"]}
        addresses = {name: each.untyped_storage().data_ptr() for name, each in tied.items()}
        files.save_file(model.state_dict(), tmp_path / "model.safetensors", {"format": "pt"})
        loaded = files.load_file(tmp_path / "model.safetensors")
        model.load_state_dict(loaded)
    assert addresses["weight"] == addresses["again"] != addresses["bias"]
    assert {name: tuple(each.shape) for name, each in loaded.items()} == {
        "weight": (2**12, 2**12), "bias": (2**12,), "steps": (2,)
    }  # fmt: skip
    assert loaded["steps"].tolist() == [3, 4]
    assert (tmp_path / "model.safetensors").stat().st_blocks * 512 < 2**16
