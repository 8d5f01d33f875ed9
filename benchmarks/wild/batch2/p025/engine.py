import torch


def train_fn(data_loader, model, optimizer):
    model.train()
    final_loss = 0.0
    for data in data_loader:
        optimizer.zero_grad()
        _, loss = model(**data)
        loss.backward()
        optimizer.step()
        final_loss += loss.item()
    return final_loss / len(data_loader)


@torch.no_grad()
def eval_fn(data_loader, model):
    model.eval()
    final_loss, hits, total = 0.0, 0, 0
    for data in data_loader:
        logits, loss = model(**data)
        final_loss += loss.item()
        hits += (logits.argmax(-1) == data["labels"]).sum().item()
        total += data["labels"].numel()
    return final_loss / len(data_loader), hits / total
