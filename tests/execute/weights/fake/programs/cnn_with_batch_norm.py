class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.MaxPool2d(2),
            nn.Conv2d(8, 8, 3, padding=1, groups=2), nn.GroupNorm(2, 8), nn.GELU(), nn.AdaptiveAvgPool2d(1))
        self.head = nn.Linear(8, 5)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(m, nn.BatchNorm2d):
                nn.init.constant_(m.weight, 1)
    def forward(self, x):
        return self.head(torch.flatten(self.features(x), 1))
net = Net()
net.train()
opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.01)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=4)
for step in range(3):
    images, labels = torch.rand(4, 3, 16, 16), torch.randint(0, 5, (4,))
    out = net(images)
    loss = F.nll_loss(F.log_softmax(out, dim=1), labels)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    sched.step()
    seen(out, loss)
net.eval()
with torch.no_grad():
    probs = net(torch.rand(2, 3, 16, 16)).softmax(-1)
    top = probs.topk(2, dim=-1)
    seen(top.values, top.indices)
print(sched.get_last_lr(), net.features[1].running_mean.shape)
