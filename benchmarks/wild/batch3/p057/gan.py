import torch
import torch.nn.functional as F

from nets import discriminator, generator


class Pix2Pix:
    def __init__(self, opt):
        self.netG = generator(opt.input_nc, opt.output_nc, opt.ngf)
        self.netD = discriminator(opt.input_nc + opt.output_nc, opt.ngf)
        self.optG = torch.optim.Adam(self.netG.parameters(), lr=2e-3, betas=(0.5, 0.999))
        self.optD = torch.optim.Adam(self.netD.parameters(), lr=2e-3, betas=(0.5, 0.999))
        self.lambda_l1 = opt.lambda_l1

    def gan_loss(self, label, image, real):
        pred = self.netD(torch.cat([label, image], 1))
        return F.mse_loss(pred, torch.full_like(pred, float(real)))

    def optimize(self, label, image):
        fake = self.netG(label)
        loss_d = 0.5 * (self.gan_loss(label, image, True) + self.gan_loss(label, fake.detach(), False))
        self.optD.zero_grad()
        loss_d.backward()
        self.optD.step()
        loss_g = self.gan_loss(label, fake, True) + self.lambda_l1 * F.l1_loss(fake, image)
        self.optG.zero_grad()
        loss_g.backward()
        self.optG.step()
        return loss_d.item(), loss_g.item()
