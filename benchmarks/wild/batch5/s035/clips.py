import torch


class ClipData:
    """Five frames a clip about one topic, and the caption's vector."""

    video_dim, text_dim, frames = 20, 12, 5

    def __init__(self, n, seed=6):
        g = torch.Generator().manual_seed(seed)
        topic = torch.randn(n, 6, generator=g)
        a, b = torch.randn(6, self.video_dim, generator=g), torch.randn(6, self.text_dim, generator=g)
        gain = torch.rand(n, self.frames, 1, generator=g) * 3
        self.video = (topic @ a).unsqueeze(1) * gain + torch.randn(n, self.frames, self.video_dim, generator=g)
        self.text = topic @ b + 0.5 * torch.randn(n, self.text_dim, generator=g)

    def __len__(self):
        return len(self.video)

    def batch(self, rows):
        return self.video[rows], self.text[rows]
