import torch
import torch.nn as nn


class SensorRNN(nn.Module):
    def __init__(self, sensors=2, hidden=12, classes=3):
        super().__init__()
        self.rnn = nn.GRU(sensors, hidden)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, x):
        # x: (time, batch, sensors)
        out, _ = self.rnn(x)
        time, batch, hidden = out.shape
        out = out.transpose(0, 1)
        return self.fc(out[:, -1])


def machine_log(n, time=10, classes=3):
    """Every machine state has its own level of vibration."""
    state = torch.randint(0, classes, (n,))
    noise = 0.3 * torch.randn(time, n, 2)
    return noise + state.view(1, n, 1).float(), state


torch.manual_seed(81)
model = SensorRNN()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
correct = seen = 0
for step in range(60):
    signal, state = machine_log(16)
    logits = model(signal)
    loss = criterion(logits, state)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    correct += (logits.argmax(1) == state).sum().item()
    seen += len(state)
    if step % 20 == 19:
        print(f"step {step + 1} loss {loss.item():.4f} accuracy {correct / seen:.3f}")
