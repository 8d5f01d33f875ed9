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
