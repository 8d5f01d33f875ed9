"""Attributes of torch that are another while a run lasts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

Patch = tuple[Any, str, Any]  # owner, name, replacement


@contextlib.contextmanager
def patched(patch: Patch) -> Iterator[None]:
    """Replace an attribute that the owner itself holds, inside the block."""
    owner, name, value = patch
    plain = vars(owner)[name]
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, plain)
