TEXT = " ".join([
    "the wind had dropped and the lake lay still under the grey morning",
    "somebody had left a boat by the old pier with both its oars in the water",
    "we waited for the ferry and counted the gulls along the railing",
    "when it came at last nobody got off and nobody but us got on",
    "the captain asked where we were going and we said across",
    "he laughed and said that everyone says that and took our coins",
])


class CharTokenizer:
    def __init__(self, text):
        self.index = {c: i for i, c in enumerate(sorted(set(text)))}

    def __len__(self):
        return len(self.index)

    def encode(self, text):
        return [self.index[c] for c in text]
