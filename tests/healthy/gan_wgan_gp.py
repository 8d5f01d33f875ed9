import torch
from torch import autograd, nn, optim

torch.manual_seed(20)
Z, LAMBDA, CRITIC_STEPS, BATCH = 4, 10.0, 2, 20

generator = nn.Sequential(nn.Linear(Z, 32), nn.ReLU(), nn.Linear(32, 2))
critic = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
opt_g = optim.Adam(generator.parameters(), lr=1e-3, betas=(0.0, 0.9))
opt_c = optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))


def ring(n):
    angle = torch.rand(n) * 6.2832
    return torch.stack([angle.cos(), angle.sin()], dim=1) + 0.05 * torch.randn(n, 2)


def gradient_penalty(real, fake):
    alpha = torch.rand(real.size(0), 1)  # one mixing weight a row, for both coordinates
    mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    score = critic(mixed)
    (gradient,) = autograd.grad(
        outputs=score, inputs=mixed, grad_outputs=torch.ones_like(score), create_graph=True
    )
    return ((gradient.norm(2, dim=1) - 1) ** 2).mean()


for step in range(10):
    for _ in range(CRITIC_STEPS):
        real = ring(BATCH)
        with torch.no_grad():
            fake = generator(torch.randn(BATCH, Z))
        loss_c = critic(fake).mean() - critic(real).mean() + LAMBDA * gradient_penalty(real, fake)
        opt_c.zero_grad()
        loss_c.backward()
        opt_c.step()
    for p in critic.parameters():
        p.requires_grad_(False)
    loss_g = -critic(generator(torch.randn(BATCH, Z))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    for p in critic.parameters():
        p.requires_grad_(True)
    if step % 5 == 4:
        print(f"step {step + 1} critic {loss_c.item():.3f} generator {loss_g.item():.3f}")
