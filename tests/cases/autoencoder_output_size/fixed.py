import torch
import torch.nn as nn


class ConvAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(8, 4, 3, stride=2, padding=1), nn.ReLU(),
        )
        self.decoder = nn.Sequential(
            nn.ConvTranspose2d(4, 8, 2, stride=2), nn.ReLU(),
            nn.ConvTranspose2d(8, 1, 3, stride=2, padding=1, output_padding=1), nn.Sigmoid(),
        )

    def forward(self, img):
        return self.decoder(self.encoder(img))


def noise_images(n):
    coarse = torch.rand(n, 1, 7, 7)
    return nn.functional.interpolate(coarse, size=28, mode="nearest")


torch.manual_seed(48)
torch.set_num_threads(1)
imgs = noise_images(24)
ae = ConvAE()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(ae.parameters(), lr=3e-3)
for epoch in range(3):
    for img in imgs.split(8):
        recon = ae(img)
        loss = criterion(recon, img)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch [{}/{}], loss:{:.4f}".format(epoch + 1, 3, loss.item()))
