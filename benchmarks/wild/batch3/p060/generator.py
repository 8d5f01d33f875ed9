import torch

from search import BeamSearch


class SequenceGenerator:
    def __init__(self, model, beam_size, max_len, eos):
        self.model, self.beam_size, self.max_len, self.eos = model, beam_size, max_len, eos
        self.search = BeamSearch(eos)

    @torch.no_grad()
    def generate(self, src_tokens):
        self.model.eval()
        bsz, start_step = src_tokens.shape
        total = start_step + self.max_len
        tokens = torch.full((bsz * self.beam_size, total), self.eos)
        tokens[:, :start_step] = src_tokens
        scores = torch.full((bsz, self.beam_size), float("-inf"))
        scores[:, 0] = 0.0
        finished = torch.zeros(bsz, self.beam_size, dtype=torch.bool)
        for step in range(start_step, total):
            logp = self.model(tokens[:, :step])[:, -1].log_softmax(-1)
            scores, words, beams = self.search.step(logp.view(bsz, self.beam_size, -1), scores, finished)
            rows = (torch.arange(bsz).unsqueeze(1) * self.beam_size + beams).flatten()
            tokens = tokens[rows]
            tokens[:, step] = words.flatten()
            finished = finished.gather(1, beams) | (words == self.eos)
            if bool(finished.all()):
                break
        tokens = tokens.view(bsz, self.beam_size, -1)[..., 1:]
        return [[(t.tolist(), s.item()) for t, s in zip(ts, ss)] for ts, ss in zip(tokens, scores)]
