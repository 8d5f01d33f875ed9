# Federated-style loop: every client trains on the few rows it owns.
import torch
import torch.nn as nn

torch.manual_seed(0)

CLIENT_ROWS = [6, 4, 1, 9]
clients = []
for rows in CLIENT_ROWS:
    feats = torch.randn(rows, 7)
    clients.append((feats, (feats[:, 2] > 0).float()))

global_model = nn.Sequential(nn.Linear(7, 1), nn.Sigmoid())
bce = nn.BCELoss()


def local_update(model, feats, labels, lr=0.5):
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    probs = model(feats).squeeze()
    assert len(probs) == len(labels), "every row needs a prediction"
    loss = bce(probs, labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


for rnd in range(2):
    weights, results = [], []
    start = {k: v.clone() for k, v in global_model.state_dict().items()}
    for feats, labels in clients:
        global_model.load_state_dict(start)
        results.append(local_update(global_model, feats, labels))
        weights.append({k: v.clone() for k, v in global_model.state_dict().items()})
    merged = {k: torch.stack([w[k] for w in weights]).mean(0) for k in start}
    global_model.load_state_dict(merged)
    print("round", rnd, "losses", [round(r, 4) for r in results])
