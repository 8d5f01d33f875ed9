import re


class WordTokenizer:
    """Lower-case words; anything in square brackets is one token."""

    pattern = re.compile(r"\[/?[A-Z0-9]+\]|\w+|[^\w\s]")

    def __init__(self, vocab):
        self.vocab = vocab
        self.unk, self.cls, self.sep = vocab["[UNK]"], vocab["[CLS]"], vocab["[SEP]"]

    @classmethod
    def train(cls, texts):
        vocab = {t: i for i, t in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])}
        for text in texts:
            for tok in cls.pattern.findall(text):
                if not tok.startswith("["):
                    vocab.setdefault(tok.lower(), len(vocab))
        return cls(vocab)

    def __len__(self):
        return len(self.vocab)

    def add_tokens(self, tokens):
        for tok in tokens:
            self.vocab.setdefault(tok, len(self.vocab))
        return len(self.vocab)

    def __call__(self, text):
        toks = [t if t.startswith("[") else t.lower() for t in self.pattern.findall(text)]
        return [self.cls] + [self.vocab.get(t, self.unk) for t in toks] + [self.sep]
