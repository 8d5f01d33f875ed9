import torch
import torch.nn.functional as F


def generator_step(gen, disc, opt, picture, spec, l1_weight):
    fake, features = gen(picture)
    score = disc(fake.detach(), features.detach())
    adversarial = F.mse_loss(score, torch.ones_like(score))
    reconstruction = F.l1_loss(fake, spec)
    loss = adversarial + l1_weight * reconstruction
    opt.zero_grad()
    loss.backward()
    opt.step()
    return adversarial.item(), reconstruction.item()


def discriminator_step(gen, disc, opt, picture, spec):
    fake, features = gen(picture)
    fake, features = fake.detach(), features.detach()
    real_score, fake_score = disc(spec, features), disc(fake, features)
    loss = F.mse_loss(real_score, torch.ones_like(real_score)) + F.mse_loss(fake_score, torch.zeros_like(fake_score))
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()
