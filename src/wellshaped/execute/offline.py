"""Lets the libraries of the Hugging Face hub know that a dry run opens no connection.

They read their cache then. Otherwise they take each refusal for a network that is down for a
moment, and try again until the time is over (huggingface_hub 2.4).
"""

from __future__ import annotations

import os
import sys
from typing import Final

_VARIABLE: Final = "HF_HUB_OFFLINE"
# Where those that are loaded already keep what the variable said.
_SWITCHES: Final = (
    ("huggingface_hub.constants", "HF_HUB_OFFLINE"),
    ("datasets.config", "HF_HUB_OFFLINE"),
    ("datasets.config", "HF_DATASETS_OFFLINE"),
    ("transformers.utils.hub", "_is_offline_mode"),
)


def go_offline() -> None:
    """For the rest of this process; a program that says otherwise in its first lines is obeyed."""
    os.environ[_VARIABLE] = "1"
    for name, switch in _SWITCHES:
        module = sys.modules.get(name)
        if module is not None and hasattr(module, switch):
            setattr(module, switch, True)
