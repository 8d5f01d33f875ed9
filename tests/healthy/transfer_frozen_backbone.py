import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

# Fine-tuning: the backbone is frozen and stays in eval mode; only the new head learns.


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d((1, 1)),
        )
        self.fc = nn.Linear(16, 100)

    def forward(self, x):
        return self.fc(torch.flatten(self.features(x), 1))


def set_parameter_requires_grad(model, feature_extracting):
    if feature_extracting:
        for param in model.parameters():
            param.requires_grad = False


torch.manual_seed(53)
model = Backbone()
set_parameter_requires_grad(model, feature_extracting=True)
model.fc = nn.Linear(model.fc.in_features, 2)
params_to_update = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.SGD(params_to_update, lr=0.05, momentum=0.9)
criterion = nn.CrossEntropyLoss()

label = torch.arange(38) % 2
images = torch.rand(38, 3, 8, 8) + label.view(-1, 1, 1, 1) * torch.tensor([0.5, 0.0, -0.3]).view(1, 3, 1, 1)
phases = {
    "train": DataLoader(TensorDataset(images[:25], label[:25]), batch_size=6, shuffle=True),
    "val": DataLoader(TensorDataset(images[25:], label[25:]), batch_size=6),
}
for epoch in range(2):
    for phase, loader in phases.items():
        model.eval()
        model.fc.train(phase == "train")
        running_corrects = 0
        for inputs, labels in loader:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                outputs = model(inputs)
                _, preds = torch.max(outputs, 1)
                loss = criterion(outputs, labels)
                if phase == "train":
                    loss.backward()
                    optimizer.step()
            running_corrects += torch.sum(preds == labels.data)
        print(f"{phase} acc: {running_corrects.double() / len(loader.dataset):.4f}")
