device = torch.device("cuda:0" if want_cuda else "cpu")
torch.cuda.manual_seed_all(0)
model = nn.Sequential(nn.Embedding(9, 4), nn.Flatten(), nn.Linear(12, 2))
if want_cuda:
    torch.cuda.set_device(0); model.cuda(); model = nn.DataParallel(model); torch.cuda.synchronize()
model = model.to(device)
model = torch.compile(model, mode="max-autotune") if want_cuda else model
@(torch.compile(dynamic=True) if want_cuda else lambda f: f)
def step(x, y):
    return F.cross_entropy(model(x), y, weight=torch.ones(2, device=device))
mps = "mps" if want_cuda else "cpu"
with torch.device(device):
    extra = torch.zeros(5, 2)
for x, y in DataLoader(TensorDataset(torch.randint(0, 9, (5, 3)), torch.randint(0, 2, (5,))), batch_size=5):
    x, y = x.to(device), y.to(mps)
    loss = step(x, y) + (model(x) * extra).sum() + torch.randn(1, device=mps, generator=torch.Generator(device)).sum()
    loss.backward()
    seen(loss, torch.zeros(3, device=device).new_ones(2))
