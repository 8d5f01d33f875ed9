"""The English of batches, heads and training: what is wrong with data, and what a run shows."""

from __future__ import annotations

from typing import Final

# What is wrong with data, a model or a setting; the message of a `Told`.
TRAINING_MESSAGES: Final[dict[str, str]] = {}

# What a run shows while it goes on, and what it came to.
TRAINING: Final[dict[str, str]] = {}
