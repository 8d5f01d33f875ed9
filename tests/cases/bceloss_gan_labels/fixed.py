import torch
import torch.nn as nn

latent_dim, data_dim, batch_size = 8, 2, 32
real_label, fake_label = 1.0, 0.0

torch.manual_seed(123)

G = nn.Sequential(nn.Linear(latent_dim, 16), nn.ReLU(), nn.Linear(16, data_dim))
D = nn.Sequential(
    nn.Linear(data_dim, 16),
    nn.LeakyReLU(0.2),
    nn.Linear(16, 1),
    nn.Sigmoid(),
)

adversarial_loss = nn.BCELoss()
optG = torch.optim.Adam(G.parameters(), lr=2e-3, betas=(0.5, 0.999))
optD = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.5, 0.999))


def real_batch(n):
    angle = torch.rand(n) * 6.283
    return torch.stack([angle.cos(), angle.sin()], dim=1)


for step in range(30):
    # --- discriminator
    D.zero_grad()
    real = real_batch(batch_size)
    label = torch.full((batch_size, 1), real_label)
    errD_real = adversarial_loss(D(real), label)
    errD_real.backward()
    fake = G(torch.randn(batch_size, latent_dim))
    label.fill_(fake_label)
    errD_fake = adversarial_loss(D(fake.detach()), label)
    errD_fake.backward()
    errD = errD_real + errD_fake
    optD.step()

    # --- generator
    G.zero_grad()
    label.fill_(real_label)
    errG = adversarial_loss(D(fake), label)
    errG.backward()
    optG.step()

    if step % 10 == 0:
        print(f"step {step:3d}  D {errD.item():.4f}  G {errG.item():.4f}")
