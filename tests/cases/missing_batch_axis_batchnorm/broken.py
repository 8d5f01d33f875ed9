import torch
import torch.nn as nn


class SymbolNet(nn.Module):
    def __init__(self, n_symbols=4):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, kernel_size=3, padding=1)
        self.bn = nn.BatchNorm2d(8)
        self.fc = nn.Linear(8 * 12 * 12, n_symbols)

    def forward(self, x):
        x = torch.relu(self.bn(self.conv(x)))
        x = x.reshape(-1, 8 * 12 * 12)
        return self.fc(x)


def fit(model, images, labels, epochs=3):
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    model.train()
    for epoch in range(epochs):
        order = torch.randperm(len(images))
        for idx in order.split(10):
            loss = criterion(model(images[idx]), labels[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.4f}")


def predict(model, image):
    """Returns the class and the probability of one image."""
    model.eval()
    with torch.no_grad():
        probs = model(image).softmax(dim=1)
    p, k = probs.max(dim=1)
    return k.item(), p.item()


torch.manual_seed(9)
images, labels = torch.rand(40, 1, 12, 12), torch.randint(0, 4, (40,))
model = SymbolNet()
fit(model, images, labels)
symbol, confidence = predict(model, images[0])
print(f"first image: symbol {symbol} ({confidence:.3f})")
