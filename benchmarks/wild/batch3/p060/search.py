import torch


class BeamSearch:
    def __init__(self, eos):
        self.eos = eos

    def step(self, logp, scores, finished):
        """logp (bsz, beam, vocab); a finished hypothesis only continues with eos at no cost."""
        bsz, beam, vocab = logp.shape
        stay = torch.full((vocab,), float("-inf"))
        stay[self.eos] = 0.0
        logp = torch.where(finished.unsqueeze(-1), stay, logp)
        total = (scores.unsqueeze(-1) + logp).view(bsz, -1)
        best, idx = total.topk(beam, dim=1)
        return best, idx % vocab, idx // vocab
