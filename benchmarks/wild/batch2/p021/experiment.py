import torch


class VAEXperiment:
    def __init__(self, vae_model, params):
        self.model = vae_model
        self.params = params
        self.optimizer = torch.optim.Adam(vae_model.parameters(), lr=params["LR"])

    def training_epoch(self, loader):
        self.model.train()
        totals = {}
        for images in loader:
            recons, images, mu, log_var = self.model(images)
            losses = self.model.loss_function(recons, images, mu, log_var, M_N=self.params["kld_weight"])
            self.optimizer.zero_grad()
            losses["loss"].backward()
            self.optimizer.step()
            for name, value in losses.items():
                totals[name] = totals.get(name, 0.0) + value.item() / len(loader)
        return totals

    @torch.no_grad()
    def sample(self, num):
        self.model.eval()
        return self.model.decode(torch.randn(num, self.model.latent_dim))
