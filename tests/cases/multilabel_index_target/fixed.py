import torch
import torch.nn as nn

GENRES = ("drama", "comedy", "crime", "horror", "sci-fi", "war", "music", "family", "western")

films = [
    ("a detective follows a killer through rainy streets", "crime"),
    ("two friends open a bakery and everything goes wrong", "comedy"),
    ("a ship lost between the stars wakes its crew", "sci-fi"),
    ("a haunted house in the woods", "horror"),
    ("soldiers cross a frozen river", "war"),
    ("a girl and her dog travel home", "family"),
    ("a pianist loses her hearing", "music"),
    ("a sheriff waits for the noon train", "western"),
]
words = sorted({w for plot, _ in films for w in plot.split()})

plots = torch.zeros(len(films), len(words))
for row, (plot, _) in enumerate(films):
    for w in plot.split():
        plots[row, words.index(w)] = 1
labels = torch.tensor([GENRES.index(g) for _, g in films])

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(len(words), 16), nn.ReLU(), nn.Linear(16, len(GENRES)))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)

for epoch in range(10):
    logits = model(plots)
    loss = criterion(logits, nn.functional.one_hot(labels, len(GENRES)).float())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch:2d} loss {loss.item():.4f}")
