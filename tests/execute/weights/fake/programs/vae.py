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
