"""Where processes that train together would meet by a port or a file, one alone meets in memory.

`torch.distributed` opens its port in C, where Landlock denies it; and a program that is run at
several batch sizes at once would find the port taken. With more processes than one the port is
denied: a dry run starts no others.
"""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import Any

_PARAMETERS = {
    "TCPStore": ("host_name", "port", "world_size", "is_master", "timeout"),
    "FileStore": ("file_name", "world_size"),
}


def replacements() -> list[tuple[Any, Any]]:
    """The stores of torch, where it is loaded and knows processes, and what stands in for them."""
    module = sys.modules.get("torch._C._distributed_c10d")
    if module is None:
        return []
    return [(store, _alone(store, module.HashStore)) for store in _stores(module)]


def loaded_stores() -> list[Any]:
    """What is replaced here, as far as it is loaded."""
    module = sys.modules.get("torch._C._distributed_c10d")
    return [] if module is None else _stores(module)


def _stores(module: Any) -> list[type[Any]]:
    return [getattr(module, name) for name in _PARAMETERS if hasattr(module, name)]


def _alone(original: type[Any], in_memory: type[Any]) -> type[Any]:
    """A class like the original, whose instances are in memory if there is one process alone."""
    names = _PARAMETERS[original.__name__]

    class Kind(type(original)):  # type: ignore[misc]
        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            given = dict(zip(names, args, strict=False)) | kwargs
            if given.get("world_size") not in (1, None, -1):
                return original(*args, **kwargs)
            store = in_memory()
            if isinstance(given.get("timeout"), timedelta):
                store.set_timeout(given["timeout"])
            return store

        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, original)

    return Kind(original.__name__, (original,), {"__module__": original.__module__})
