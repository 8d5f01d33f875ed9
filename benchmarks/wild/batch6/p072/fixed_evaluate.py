import torch


@torch.no_grad()
def answer(encoder, decoder, loader, reply_len):
    hits, count = 0, 0
    for src, reply in loader:
        memory, hidden = encoder(src)
        mask = (src == 0)[:, :memory.size(1)]
        token = torch.ones_like(reply[:, :1])
        for t in range(reply_len):
            logits, hidden = decoder(token, hidden, memory, mask)
            token = logits.argmax(dim=1, keepdim=True)
            hits += (token[:, 0] == reply[:, t]).sum().item()
            count += len(src)
    return hits / count
