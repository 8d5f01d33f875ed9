"""Parameters that differ between the query suggestion models."""

DEFAULTS = {"nhid": 24, "nlayers": 1, "bidirection": True, "dropout": 0.0}

MODELS = {
    "ACG": {"attn_type": "general"},
    "HREDQS": {"nhid_session": 32},
    "SEQ2SEQ": {
        "nhid": 32,
        "nlayers": 1,
        "attn_type": "none",
    },
}


def get_model_specific_params(name):
    params = dict(DEFAULTS)
    params.update(MODELS[name.upper()])
    return params
