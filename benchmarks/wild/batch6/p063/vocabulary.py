from collections import Counter

PAD, UNK = 0, 1


class Vocabulary:
    def __init__(self, phrases, min_count):
        counts = Counter(w for p in phrases for w in p.split())
        words = sorted(w for w, c in counts.items() if c >= min_count)
        self.index = {w: i + 2 for i, w in enumerate(words)}

    def __len__(self):
        return len(self.index) + 2

    def encode(self, phrase):
        return [self.index[w] for w in phrase.split() if w in self.index]
