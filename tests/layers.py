"""Which layer may import which, as a table, and the reader that holds a tree against it."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "wellshaped"
STAGES = (
    *("records", "files", "notebook", "contracts", "source", "execute", "observe"),
    *("relations", "diagnose", "repair", "verify", "locale", "report"),
)

# What detects a fault: the modules of this name among the faults, which alone in their layer know
# `observe` and torch. Rules are read without them, so no rule and no language imports one.
DETECT = "diagnose.faults.*.detect"
_DETECT_NAME = "detect"

# A layer may always import itself. `train` is imported by the command line and as a lazy part.
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "records": (),
    "files": ("records",),
    "notebook": ("records",),
    "contracts": ("records",),
    "source": ("records", "notebook", "contracts"),
    "execute": ("records", "notebook", "contracts", "source"),
    "observe": ("records", "notebook", "contracts", "source", "execute"),
    "diagnose": ("records", "contracts"),
    DETECT: ("records", "contracts", "source", "observe", "diagnose.faults"),
    "relations": ("records", "source", "execute", "observe"),
    "repair": ("records", "files", "notebook", "contracts"),
    "verify": ("records", "contracts"),
    "locale": ("records", "diagnose.faults", "diagnose.own_codes"),
    "report": ("records", "locale"),
    "batch": ("records", "contracts"),
    # A task has its collate function.
    "nn": ("records", "contracts", "batch"),
    "train": (
        "records",
        "files",
        "contracts",
        "observe.guard",
        "observe.loss_guard",
        "batch",
        "nn",
        "report",
    ),
    "pipeline": (*STAGES, "batch", "nn"),
    "integrations": (*STAGES, "pipeline"),
    "cli": (*STAGES, "batch", "nn", "train", "pipeline", "integrations"),
    "ipython": (*STAGES, "pipeline", "integrations"),
    "__init__": (*STAGES, "batch", "nn", "train", "pipeline", "ipython"),
    "__main__": ("cli",),
}

# Third-party packages and the layers that own them; one that is not listed may not be imported.
OWNERS: dict[str, tuple[str, ...]] = {
    "torch": (
        *("contracts", "source", "execute", "observe", "relations", "verify", DETECT),
        *("batch", "nn", "train", "integrations"),
    ),
    "rich": ("report",),
    "IPython": ("report",),
    "safetensors": ("nn", "train"),
    "transformers": ("train", "integrations"),
    "lightning": ("integrations",),
    "lsprotocol": ("integrations",),
    "mcp": ("integrations",),
    "mcp_types": ("integrations",),
    "pydantic": ("integrations",),
    "pygls": ("integrations",),
    "pytest": ("integrations",),
    "tokenizers": ("train",),
    "accelerate": ("train",),
    "deepspeed": ("train",),
    "peft": ("train",),
    "pyarrow": ("train",),
    "datasets": ("train",),
    "matplotlib": ("report",),
    "huggingface_hub": ("train",),
}

# Contracts are data: they load without torch, and reach for it only inside a call.
ONLY_INSIDE_FUNCTIONS = {("contracts", "torch")}


@dataclass(frozen=True)
class Import:
    """One imported name, absolute, and whether importing the file executes the import."""

    name: str
    line: int
    at_load: bool


def violations(root: Path) -> list[str]:
    """Each import below `root` (the package folder) that the table does not allow."""
    found = []
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        if parts[0] not in MAY_IMPORT:
            found.append(f"{path.relative_to(root)}:1: `{parts[0]}` is not in the import table")
            continue
        layer = DETECT if _is_detect(parts) else parts[0]
        for imported in _imports(ast.parse(path.read_text(encoding="utf-8")), parts):
            fault = _fault(layer, imported)
            if fault:
                found.append(f"{path.relative_to(root)}:{imported.line}: {fault}")
    return found


def _fault(layer: str, imported: Import) -> str | None:
    top, _, inner = imported.name.partition(".")
    if top == PACKAGE:
        if inner == "__version__":
            return None
        allowed = any(_is_within(inner, owner) for owner in (layer, *MAY_IMPORT[layer]))
        if _is_detect(tuple(inner.split("."))) and layer in ("diagnose", "locale"):
            allowed = False
        return None if allowed else f"`{layer}` may not import `{imported.name}`"
    if top in sys.stdlib_module_names:
        return None
    if layer not in OWNERS.get(top, ()):
        return f"`{layer}` may not import `{top}`"
    if imported.at_load and (layer, top) in ONLY_INSIDE_FUNCTIONS:
        return f"`{layer}` may import `{top}` only inside a function"
    return None


def _is_detect(parts: tuple[str, ...]) -> bool:
    """Whether a path inside the package is a module `detect` among the faults, or within one."""
    return parts[:2] == ("diagnose", "faults") and _DETECT_NAME in parts[2:]


def _is_within(inner: str, owner: str) -> bool:
    return inner == owner or inner.startswith(f"{owner}.")


def _imports(tree: ast.Module, parts: tuple[str, ...]) -> Iterator[Import]:
    lazy = {id(node) for scope in ast.walk(tree) if _is_lazy(scope) for node in ast.walk(scope)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = _from_names(node, parts)
        else:
            continue
        for name in names:
            yield Import(name, node.lineno, id(node) not in lazy)


def _is_lazy(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)


def _from_names(node: ast.ImportFrom, parts: tuple[str, ...]) -> list[str]:
    """`from .a import b` as `wellshaped.<here>.a.b`: a name may be a module, so it counts."""
    module = node.module or ""
    if node.level:
        here = (PACKAGE, *parts)[: -node.level]
        module = ".".join((*here, module) if module else here)
    return [f"{module}.{alias.name}" for alias in node.names]
