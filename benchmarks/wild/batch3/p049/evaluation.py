import torch


@torch.no_grad()
def recall_at(model, loader, ks):
    images, captions = [], []
    for im, cap, lengths in loader:
        images.append(model.img_enc(im))
        captions.append(model.txt_enc(cap, lengths))
    s = torch.cat(images) @ torch.cat(captions).t()
    rank = (s > s.diag().view(-1, 1)).sum(1)
    return tuple((rank < k).float().mean().item() for k in ks)
