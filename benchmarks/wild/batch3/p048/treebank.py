import random

import torch
from torch.nn.utils.rnn import pad_sequence

LEXICON = {"DET": ["the", "a"], "NOUN": ["dog", "cat", "tree", "run"], "VERB": ["run", "sees", "likes"],
           "ADJ": ["big", "red"]}
RULES = [["DET", "NOUN", "VERB"], ["DET", "ADJ", "NOUN", "VERB", "DET", "NOUN"], ["NOUN", "VERB", "DET", "NOUN"]]


def write_treebank(path, n, seed=3):
    rnd = random.Random(seed)
    with open(path, "w") as f:
        for _ in range(n):
            for tag in rnd.choice(RULES):
                f.write("%s\t%s\n" % (rnd.choice(LEXICON[tag]), tag))
            f.write("\n")


class Treebank:
    def __init__(self, path):
        self.words, self.tags, self.sents = {"<pad>": 0}, {"<pad>": 0}, []
        sent = []
        with open(path) as f:
            for line in f:
                line = line.strip()
                if line:
                    sent.append(line.split("\t"))
                elif sent:
                    self.sents.append(sent)
                    sent = []
        for sent in self.sents:
            for w, t in sent:
                self.words.setdefault(w, len(self.words))
                self.tags.setdefault(t, len(self.tags))

    def batches(self, size):
        for i in range(0, len(self.sents), size):
            rows = sorted(self.sents[i:i + size], key=len, reverse=True)
            x = pad_sequence([torch.tensor([self.words[w] for w, _ in s]) for s in rows], batch_first=True)
            y = pad_sequence([torch.tensor([self.tags[t] for _, t in s]) for s in rows], batch_first=True)
            yield x, y, torch.tensor([len(s) for s in rows])
