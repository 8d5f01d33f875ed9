from types import SimpleNamespace

import yaml


def to_namespace(tree):
    if isinstance(tree, dict):
        return SimpleNamespace(**{k: to_namespace(v) for k, v in tree.items()})
    return tree


def load(path):
    with open(path) as f:
        return to_namespace(yaml.safe_load(f))
