from torch import nn


class VoiceEncoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, width, 16, stride=4), nn.PReLU(),
            nn.Conv1d(width, 2 * width, 16, stride=4), nn.PReLU(),
            nn.AdaptiveAvgPool1d(4), nn.Flatten())
        self.dim = 8 * width

    def forward(self, wave):
        return self.net(wave.unsqueeze(1))


class FaceGenerator(nn.Module):
    def __init__(self, width, size):
        super().__init__()
        self.encoder = VoiceEncoder(width)
        self.fc = nn.Linear(self.encoder.dim, 16 * (size // 2) ** 2)
        self.up = nn.Sequential(
            nn.ReLU(), nn.Unflatten(1, (16, size // 2, size // 2)),
            nn.ConvTranspose2d(16, 1, 4, stride=2, padding=1), nn.Tanh())

    def forward(self, wave):
        return self.up(self.fc(self.encoder(wave)))
