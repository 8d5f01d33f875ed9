data = TensorDataset(torch.randn(22, 6), torch.randint(0, 3, (22,)))
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
for epoch in range(2):
    correct = total = running = 0
    for x, y in DataLoader(data, batch_size=8, shuffle=True):
        optimizer.zero_grad()
        logits = model(x)
        loss = criterion(logits, y)
        loss.backward()
        optimizer.step()
        running += loss.item() * x.size(0)
        correct += (logits.argmax(dim=1) == y).sum().item()
        total += y.size(0)
        seen(logits, y, loss)
    print(f"epoch {epoch} loss {running / total:.4f} accuracy {100 * correct / total:.1f}%")
model.eval()
with torch.no_grad():
    name = ["cat", "dog", "cow"][model(torch.randn(1, 6)).argmax(1).item()]
