import json


def load_labels(path):
    with open(path) as f:
        labels = json.load(f)
    return labels["intents"], labels["slots"]
