import torch


class Diffusion:
    def __init__(self, noise_steps=1000, beta_start=1e-4, beta_end=0.02, img_size=256):
        self.noise_steps = noise_steps
        self.img_size = img_size
        self.beta = torch.linspace(beta_start, beta_end, noise_steps)
        self.alpha = 1.0 - self.beta
        self.alpha_hat = torch.cumprod(self.alpha, dim=0)

    def noise_images(self, x, t):
        sqrt_alpha_hat = torch.sqrt(self.alpha_hat[t])[:, None, None, None]
        sqrt_one_minus = torch.sqrt(1 - self.alpha_hat[t])[:, None, None, None]
        noise = torch.randn_like(x)
        return sqrt_alpha_hat * x + sqrt_one_minus * noise, noise

    def sample_timesteps(self, n):
        return torch.randint(low=1, high=self.noise_steps, size=(n,))

    @torch.no_grad()
    def sample(self, model, n, channels):
        model.eval()
        x = torch.randn(n, channels, self.img_size, self.img_size)
        for i in reversed(range(1, self.noise_steps)):
            t = torch.full((n,), i, dtype=torch.long)
            alpha, alpha_hat, beta = (v[t][:, None, None, None] for v in (self.alpha, self.alpha_hat, self.beta))
            noise = torch.randn_like(x) if i > 1 else torch.zeros_like(x)
            x = (x - (1 - alpha) / torch.sqrt(1 - alpha_hat) * model(x, t)) / torch.sqrt(alpha) + torch.sqrt(beta) * noise
        model.train()
        return x.clamp(-1, 1)
