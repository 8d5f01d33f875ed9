"""Whether a dry run may begin: the kernel can confine the program, or the user does without."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from wellshaped.execute.sandbox.kernel.landlock import can_confine
from wellshaped.records.phrase import UserError

CODE = "WS941"

# Children that are forked inherit it, as those that try repairs are.
_without = False


@contextmanager
def landlocked(wanted: bool) -> Iterator[None]:
    """Inside the block Landlock is needed, unless it is not wanted; then it is not used either."""
    global _without
    before, _without = _without, _without or not wanted
    try:
        yield
    finally:
        _without = before


def is_landlocked() -> bool:
    """Whether the programs of this process have to be confined by the kernel."""
    return not _without


def must_be_confined() -> None:
    """Refuse to run a program that could write where nobody sees it, unless that was agreed to."""
    if is_landlocked() and not can_confine():
        raise refusal()


def refusal() -> UserError:
    """The error of a run that cannot be confined."""
    return UserError(CODE, "no_landlock")
