import torch
import torch.nn.functional as F


def fit(model, dataset, epochs, batch_size, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(epochs):
        model.train()
        losses = []
        for start in range(0, len(dataset), batch_size):
            images, targets = dataset.batch(range(start, min(start + batch_size, len(dataset))))
            logits = model(images)
            loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print("Epoch %d/%d - Training loss: %.4f" % (epoch + 1, epochs, sum(losses) / len(losses)))
