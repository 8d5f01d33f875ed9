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
