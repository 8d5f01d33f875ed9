model = nn.Linear(3, 1)
opt = torch.optim.Adam(model.parameters())
best, bad, history = float("inf"), 0, []
best_loss = torch.tensor(float("inf"))
for epoch in range(50):
    loss = F.mse_loss(model(torch.randn(4, 3)), torch.randn(4, 1))
    if torch.isnan(loss).any() or not torch.isfinite(loss):
        raise ValueError("diverged")
    assert loss >= 0 and not loss.isinf()
    opt.zero_grad(); loss.backward(); opt.step()
    history.append(float(loss))
    if loss < best:
        best, bad = loss.item(), 0
    else:
        bad += 1
    best_loss = min(best_loss, loss.detach())
    if bad >= 3:
        break
    seen(loss)
print(np.mean(history), max(history), int(loss * 100), round(loss.item(), 3))
steps = 0
while loss.item() > 1e-3 and steps < 5:
    steps += 1
