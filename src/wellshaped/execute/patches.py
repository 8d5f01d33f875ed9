"""Attributes of torch that are another while a run lasts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

Patch = tuple[Any, str, Any]  # owner, name, replacement


@contextlib.contextmanager
def patched(patch: Patch) -> Iterator[None]:
    """Replace an attribute inside the block; one that the owner inherits is its own meanwhile."""
    owner, name, value = patch
    inherited = name not in vars(owner)
    plain = None if inherited else vars(owner)[name]
    setattr(owner, name, value)
    try:
        yield
    finally:
        if inherited:
            delattr(owner, name)
        else:
            setattr(owner, name, plain)
