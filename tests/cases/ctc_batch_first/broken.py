import torch
import torch.nn as nn

SYMBOLS = "-abcdefgh"
torch.manual_seed(0)


class SpeechNet(nn.Module):
    def __init__(self, bands=13):
        super().__init__()
        self.rnn = nn.GRU(bands, 24, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(48, len(SYMBOLS))

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.fc(out).log_softmax(dim=-1)


def utterances(batch):
    frames = torch.randn(batch, 30, 13)
    frame_counts = torch.full((batch,), 30)
    spelling = torch.randint(1, len(SYMBOLS), (batch, 6))
    letters = torch.randint(3, 7, (batch,))
    return frames, frame_counts, spelling, letters


def train(steps):
    net = SpeechNet()
    ctc = nn.CTCLoss(blank=0, zero_infinity=True)
    optim = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(steps):
        frames, frame_counts, spelling, letters = utterances(batch=4)
        log_probs = net(frames)
        loss = ctc(log_probs, spelling, frame_counts, letters)
        optim.zero_grad()
        loss.backward()
        optim.step()
        print(f"step {step}: ctc {loss.item():.4f}")


if __name__ == "__main__":
    train(steps=5)
