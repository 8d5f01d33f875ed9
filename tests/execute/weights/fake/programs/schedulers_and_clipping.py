model = nn.Linear(5, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
one = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=10)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=1)
for step in range(6):
    pred = model(torch.randn(7, 5)).squeeze(1)
    loss = nn.SmoothL1Loss()(pred, torch.randn(7)) / 2
    loss.backward()
    if (step + 1) % 2 == 0:
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)
        nn.utils.clip_grad_value_(model.parameters(), 0.5)
        opt.step(); one.step(); opt.zero_grad()
        plateau.step(loss)
        print(norm.item(), float(norm), opt.param_groups[0]["lr"])
    seen(pred, loss)
