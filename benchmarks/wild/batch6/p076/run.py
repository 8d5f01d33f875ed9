import torch
import torch.nn.functional as F


def step(encoder, decoder, src, lengths, tgt, bos):
    memory, hidden = encoder(src, lengths)
    word = torch.full_like(tgt[0], bos)
    loss = 0.0
    for t in range(len(tgt)):
        features, hidden = decoder(word, hidden, memory, src == 0)
        loss = loss + F.nll_loss(decoder.out(features).log_softmax(dim=1), tgt[t])
        word = tgt[t]
    return loss / len(tgt)
