import torch
from torch import nn

SAMPLE_BANDS = 20
FRAMES = 40
FEATURES = 160


class KeywordSpotter(nn.Module):
    def __init__(self, n_keywords):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(SAMPLE_BANDS, 32, kernel_size=3, padding=1),
            nn.ReLU(),
            nn.MaxPool1d(4),
        )
        self.fc = nn.Sequential(
            nn.Linear(FEATURES, 64),
            nn.ReLU(),
            nn.Linear(64, n_keywords),
        )

    def forward(self, spectrogram):
        features = self.conv(spectrogram)
        return self.fc(features.view(-1, FEATURES))


class Experiment:
    def __init__(self):
        torch.manual_seed(17)
        self.clips = torch.randn(36, SAMPLE_BANDS, FRAMES)
        self.words = torch.randint(0, 8, (36,))
        self.model = KeywordSpotter(8)
        self.optim = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        self.loss = nn.CrossEntropyLoss()

    def epoch(self):
        history = []
        for clips, words in zip(self.clips.split(12), self.words.split(12)):
            batch_loss = self.loss(self.model(clips), words)
            self.optim.zero_grad()
            batch_loss.backward()
            self.optim.step()
            history.append(batch_loss.item())
        return sum(history) / len(history)


exp = Experiment()
for number in range(3):
    print(f"epoch {number}: {exp.epoch():.4f}")
