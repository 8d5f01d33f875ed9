model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Tanh(), nn.Linear(8, 1))
ema = copy.deepcopy(model).eval()
for p in ema.parameters():
    p.requires_grad_(False)
swa = torch.optim.swa_utils.AveragedModel(model)
opt = torch.optim.Adam(model.parameters(), foreach=True)
for _ in range(3):
    x, y = torch.randn(8, 4), torch.randn(8, 1)
    loss = F.mse_loss(model(x), y)
    opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad():
        for e, p in zip(ema.parameters(), model.parameters()):
            e.mul_(0.99).add_(p, alpha=0.01)
        for e, b in zip(ema.buffers(), model.buffers()):
            e.copy_(b)
    for e, p in zip(ema.state_dict().values(), model.state_dict().values()):
        e.copy_(e * 0.9 + p * 0.1)
    swa.update_parameters(model)
    seen(loss, ema(x), swa(x))
target = copy.deepcopy(model)
target.load_state_dict(model.state_dict())
seen(target(x))
