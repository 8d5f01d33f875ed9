import argparse

import torch
from torch import nn
import torch.nn.functional as F


class AudioStream(nn.Module):
    """Spectrogram (B, 1, T, F) to (B, 8 * F, T)."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 8, (5, 3), padding=(2, 1)), nn.ReLU(), nn.Conv2d(8, 8, 3, padding=1), nn.ReLU())

    def forward(self, spec):
        x = self.net(spec)
        b, c, t, f = x.shape
        return x.permute(0, 1, 3, 2).reshape(b, c * f, t)


class VideoStream(nn.Module):
    def __init__(self, dim_in, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(dim_in, dim, 5, padding=2), nn.ReLU())

    def forward(self, faces):
        return self.net(faces)


class Separator(nn.Module):
    def __init__(self, freqs, face_dim):
        super().__init__()
        self.audio = AudioStream()
        self.video = VideoStream(face_dim, 12)
        self.rnn = nn.GRU(8 * freqs + 12, 40, batch_first=True)
        self.mask = nn.Linear(40, freqs)

    def forward(self, spec, faces):
        joined = torch.cat([self.audio(spec), self.video(faces)], dim=1)
        hidden, _ = self.rnn(joined.transpose(1, 2))
        return torch.sigmoid(self.mask(hidden))


def mixtures(n, t, f, seed):
    """Two voices; the face moves when the first one speaks."""
    g = torch.Generator().manual_seed(seed)
    speaks = F.avg_pool1d((torch.rand(n, 1, t, generator=g) > 0.5).float(), 3, 1, 1)
    tone = torch.randint(0, f, (2, n), generator=g)
    voices = torch.rand(2, n, t, f, generator=g) * 0.1
    for k in range(2):
        voices[k, torch.arange(n), :, tone[k]] += 1
    voices[0] *= speaks.transpose(1, 2)
    faces = torch.cat([speaks, torch.rand(n, 3, t, generator=g)], dim=1)
    return voices.sum(0).unsqueeze(1), faces, voices[0]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--frames", type=int, default=16)
    p.add_argument("--freqs", type=int, default=10)
    p.add_argument("--epochs", type=int, default=6)
    args = p.parse_args()
    torch.manual_seed(0)
    mix, faces, clean = mixtures(128, args.frames, args.freqs, 1)
    model = Separator(args.freqs, faces.size(1))
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for epoch in range(args.epochs):
        total = 0.0
        for rows in torch.randperm(len(mix)).split(16):
            est = model(mix[rows], faces[rows]) * mix[rows, 0]
            loss = F.mse_loss(est, clean[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        print(f"epoch {epoch} loss {total / len(mix):.5f}")


if __name__ == "__main__":
    main()
