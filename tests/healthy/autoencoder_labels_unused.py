import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(34)
images = torch.rand(37, 1, 12, 12).round()
labels = torch.randint(0, 10, (37,))  # the same files serve a classifier elsewhere
loader = DataLoader(TensorDataset(images, labels), batch_size=8, shuffle=True)

encoder = nn.Sequential(
    nn.Conv2d(1, 8, 3, stride=2, padding=1), nn.ReLU(), nn.Conv2d(8, 4, 3, stride=2, padding=1), nn.Flatten(),
    nn.Linear(36, 10),
)
decoder = nn.Sequential(
    nn.Linear(10, 36), nn.Unflatten(1, (4, 3, 3)), nn.ConvTranspose2d(4, 8, 2, stride=2), nn.ReLU(),
    nn.ConvTranspose2d(8, 1, 2, stride=2), nn.Sigmoid(),
)
optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=0.01)
mse = nn.MSELoss()
for epoch in range(3):
    for image, _ in loader:
        noisy = (image + 0.2 * torch.randn_like(image)).clamp(0, 1)
        code = encoder(noisy)
        sparsity = code.abs().mean()
        loss = mse(decoder(code), image) + 0.01 * sparsity
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")
worst = ((decoder(encoder(images)) - images) ** 2).flatten(1).mean(dim=1).topk(3).indices
print("odd ones", sorted(worst.tolist()))
