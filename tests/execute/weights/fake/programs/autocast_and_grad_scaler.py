device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2)).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler(device)
for _ in range(2):
    x, y = torch.randn(5, 6).to(device, non_blocking=True), torch.randint(0, 2, (5,), device=device)
    with torch.autocast(device_type=device, dtype=torch.bfloat16):
        out = model(x)
        loss = F.cross_entropy(out, y)
        other = F.mse_loss(out, torch.zeros(5, 2))
    seen(out, loss, other)
    opt.zero_grad()
    scaler.scale(loss + other).backward()
    scaler.unscale_(opt)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    scaler.step(opt)
    scaler.update()
print(scaler.get_scale())
