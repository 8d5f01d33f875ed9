import random

GOOD = "great lovely superb fine warm fresh happy".split()
BAD = "awful dull broken stale poor cold sad".split()
REST = "the a film book phone was very this it and of".split()


def dump_reviews(path, n, seed):
    rnd = random.Random(seed)
    with open(path, "w") as f:
        for _ in range(n):
            label = rnd.randrange(2)
            words = rnd.choices(REST, k=rnd.randint(4, 9)) + rnd.choices(GOOD if label else BAD, k=2)
            rnd.shuffle(words)
            f.write("%d\t%s\n" % (label, " ".join(words)))
