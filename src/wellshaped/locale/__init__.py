"""The sentences, in the reader's language.

The catalogue is loaded when something is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wellshaped.locale.catalogue import ENGLISH as ENGLISH
    from wellshaped.locale.catalogue import Untranslated as Untranslated
    from wellshaped.locale.catalogue import Words as Words
    from wellshaped.locale.catalogue import heading as heading
    from wellshaped.locale.catalogue import in_one_language as in_one_language
    from wellshaped.locale.catalogue import words as words

__all__ = ["ENGLISH", "Untranslated", "Words", "heading", "in_one_language", "words"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        import wellshaped.locale.catalogue as catalogue

        return getattr(catalogue, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
