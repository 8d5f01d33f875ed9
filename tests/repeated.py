"""Parameters of which a few stand for all; `make test-all` runs the others too."""

from collections.abc import Iterable
from typing import Any

import pytest


def few(values: Iterable[Any], *kept: Any) -> list[Any]:
    """These parameters, or tuples of them, all but the kept ones marked nightly."""
    given = list(values)
    assert all(each in given for each in kept), f"{kept} are not all among {given}"
    return [each if each in kept else _nightly(each) for each in given]


def _nightly(value: Any) -> Any:
    values = value if isinstance(value, tuple) else (value,)
    return pytest.param(*values, marks=pytest.mark.nightly)
