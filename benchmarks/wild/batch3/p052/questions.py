import json
import random

import torch

NAMES = ["anna", "ben", "carla", "dmitri"]
PLACES = ["paris", "kyoto", "lagos", "quito"]


def write_squadlike(path, n, seed=6):
    rnd = random.Random(seed)
    rows = []
    for _ in range(n):
        who, where = rnd.choice(NAMES), rnd.choice(PLACES)
        rows.append({"context": "%s was born in %s" % (who, where), "answer": where,
                     "question": "where was %s born" % who})
    with open(path, "w") as f:
        json.dump({"data": rows}, f)


class QuestionData:
    def __init__(self, path):
        with open(path) as f:
            rows = json.load(f)["data"]
        self.vocab = {"<pad>": 0, "<sos>": 1, "<eos>": 2}
        self.items = []
        for r in rows:
            ctx, q = self.ids(r["context"]), self.ids(r["question"])
            focus = [float(w == r["answer"]) for w in r["context"].split()]
            self.items.append((ctx, focus, [1] + q + [2]))

    @property
    def n_words(self):
        return len(self.vocab)

    def ids(self, text):
        return [self.vocab.setdefault(w, len(self.vocab)) for w in text.split()]

    def batches(self, size):
        for i in range(0, len(self.items), size):
            ctx, focus, q = zip(*self.items[i:i + size])
            yield torch.tensor(ctx), torch.tensor(focus), torch.tensor(q)
