import copy


def merge(presets, names):
    """Later presets override earlier ones, section by section."""
    out = {}
    for name in names:
        for key, value in presets[name].items():
            if isinstance(value, dict):
                out.setdefault(key, {}).update(copy.deepcopy(value))
            else:
                out[key] = value
    return out
