net = nn.Linear(4, 3)
x, y = torch.randn(8, 4), torch.randint(0, 3, (8,))
real_mask = torch.tensor([True, False] * 4)
out = net(x)
loss = F.cross_entropy(out[real_mask], y[real_mask])
seen(out[real_mask], loss, out.masked_select(real_mask[:, None]), out[:, torch.tensor([True, False, True])])
mask = out.max(1).values > 0
kept, targets = out[mask], y[mask]
assert kept.shape[0] == targets.shape[0]
hard = F.cross_entropy(kept, targets) if mask.any() else out.sum() * 0
ids = torch.nonzero(mask).squeeze(1)
classes, counts = torch.unique(out.argmax(1), return_counts=True)
out2 = out.clone()
out2[mask] = 0.0
out2[real_mask] = out[~real_mask]
best = torch.where(out > 0, out, torch.zeros_like(out)).topk(2).indices
rows = out.gather(1, best)
routed = torch.zeros_like(out).index_add(0, torch.arange(8) % 2, out)
routed = routed.scatter_add(1, best, rows)
(loss + hard + out2.sum() + rows.sum() + routed.sum()).backward()
top = F.one_hot(out.argmax(1), num_classes=3).float()
order = torch.argsort(out[:, 0], descending=True)
seen(top, out[order], out2, rows, routed, net.weight.grad, torch.bincount(y, minlength=3))
results = torch.zeros(8, 3)
for i in range(8):
    results[i] = net(x[i])
loss = F.mse_loss(results, torch.zeros(8, 3))
net.zero_grad(); loss.backward()
seen(results, loss, net.weight.grad)
