"""Gradient accumulation with mixed precision where there is a device for it; warm-up by hand."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACCUMULATE = 3
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(41)

x = torch.randn(55, 12)
y = (x[:, :3] * torch.tensor([1.0, 2.0, -1.0])).sum(dim=1, keepdim=True)
loader = DataLoader(TensorDataset(x, y), batch_size=6, shuffle=True, pin_memory=device == "cuda")
model = nn.Sequential(nn.Linear(12, 32), nn.GELU(), nn.Linear(32, 1)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 4))
scaler = torch.amp.GradScaler(device, enabled=device == "cuda")
criterion = nn.MSELoss()

for epoch in range(2):
    optimizer.zero_grad()
    total = 0.0
    for step, (xb, yb) in enumerate(loader, 1):
        xb, yb = xb.to(device, non_blocking=True), yb.to(device, non_blocking=True)
        with torch.autocast(device_type=device, dtype=torch.bfloat16):
            out = model(xb)
            loss = criterion(out.float(), yb) / ACCUMULATE
        scaler.scale(loss).backward()
        total += loss.item() * ACCUMULATE
        if step % ACCUMULATE == 0 or step == len(loader):
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            scheduler.step()
    print(f"epoch {epoch} loss {total / len(loader):.4f} lr {scheduler.get_last_lr()[0]:.4f}")
