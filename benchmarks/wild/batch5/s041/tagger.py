from torch import nn


class Tagger(nn.Module):
    def __init__(self, vocab, dim, crf):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.encoder = nn.GRU(dim, dim, batch_first=True)
        self.fc = nn.Linear(dim, crf.start.numel())
        self.crf = crf

    def forward(self, words, tags):
        hidden, _ = self.encoder(self.emb(words))
        return self.crf(self.fc(hidden), tags)
