import torch
import torch.nn.functional as F
from torch import nn


class ConvEncoder(nn.Module):
    def __init__(self, depths, kernel, min_res):
        super().__init__()
        layers, c = [], 1
        for d in depths:
            layers += [nn.Conv2d(c, d, kernel, stride=2, padding=1), nn.ELU()]
            c = d
        self.net = nn.Sequential(*layers)
        self.outdim = depths[-1] * min_res * min_res

    def forward(self, x):
        return self.net(x).flatten(1)


class WorldModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.encoder = ConvEncoder(**cfg["encoder"])
        self.action = nn.Embedding(2, cfg["deter"])
        self.obs_out = nn.Sequential(
            nn.Linear(self.encoder.outdim + cfg["deter"], cfg["units"]), nn.ELU(),
            nn.Linear(cfg["units"], cfg["deter"]))
        self.decoder = nn.Linear(cfg["deter"], cfg["size"])

    def forward(self, frames, actions):
        embed = self.encoder(frames)
        x = torch.cat([embed, self.action(actions)], -1)
        return self.decoder(self.obs_out(x))

    def learn(self, frames, actions, following, opt):
        column = following.mean(dim=(1, 2))
        pred = self(frames, actions)
        loss = F.mse_loss(pred, column)
        opt.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.parameters(), 10.0)
        opt.step()
        return {"loss": loss.item(), "grad": norm.item()}
