"""Readers of the shape of the house: folders, prefixes, names, imports, and lists of losses."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.layers import PACKAGE

MOST_MODULES = 20
FEWEST_OF_A_FAMILY = 3

# What every file of a kind has, as a class has the methods of its interface: no second home.
INTERFACES: dict[str, tuple[str, ...]] = {
    "cli": ("declare", "act"),
    "diagnose/faults": ("diagnose", "repairs", "detect"),
    "integrations": ("serve", "server", "ShapeCallback"),
    "report": ("render", "to_dict"),
}
# The words all stages share: a record is imported from the file that is named for it.
VOCABULARY = ("records",)


@dataclass(frozen=True)
class Module:
    """A file of the package: its path below the package folder, and what is written in it."""

    path: str
    tree: ast.Module

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def stem(self) -> str:
        return self.path.rpartition("/")[2].removesuffix(".py")

    @property
    def stage(self) -> str:
        return self.path.partition("/")[0].removesuffix(".py")


@cache
def modules(root: Path) -> tuple[Module, ...]:
    """The modules below `root`, the package folder."""
    return tuple(
        Module(path.relative_to(root).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
        for path in sorted(root.rglob("*.py"))
    )


def crowded_folders(root: Path) -> set[str]:
    """Folders with more modules than one can look over."""
    sizes = Counter(each.folder for each in modules(root) if each.stem != "__init__")
    return {folder for folder, size in sizes.items() if size > MOST_MODULES}


def shared_prefixes(root: Path) -> set[str]:
    """`folder/prefix_`: three files or more whose names begin alike want to be a folder."""
    sizes: Counter[str] = Counter()
    for each in modules(root):
        if not each.stem.startswith("_"):
            sizes[f"{each.folder}/{each.stem.partition('_')[0]}_"] += 1
    return {prefix for prefix, size in sizes.items() if size >= FEWEST_OF_A_FAMILY}


def doubled_names(root: Path) -> dict[str, tuple[str, ...]]:
    """Public functions and classes that are defined in more than one module, and where."""
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for module in modules(root):
        for name in sorted(_public_names(module)):
            homes[name].append(module.path)
    return {name: tuple(paths) for name, paths in homes.items() if len(paths) > 1}


def _public_names(module: Module) -> set[str]:
    defined = {
        node.name
        for node in module.tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    shared = {
        name
        for folder, names in INTERFACES.items()
        for name in names
        if module.path.startswith(f"{folder}/")
    }
    return {name for name in defined - shared if not name.startswith("_")}


def deep_imports(root: Path) -> dict[str, int]:
    """By stage, how many imports from outside of it reach past its package name.

    Those that are written as a string count too, or it would be a way around. What detects a
    fault is a part of observing that lives with its fault: it does not count.
    """
    found: Counter[str] = Counter()
    names = {_dotted(module) for module in modules(root)}
    for module in modules(root):
        if "detect" in _dotted(module).split("."):
            continue
        for name in (*_imported_modules(module.tree), *_imported_strings(module.tree, names)):
            package, _, inner = name.partition(".")
            stage, _, beneath = inner.partition(".")
            if package == PACKAGE and beneath and stage not in (module.stage, *VOCABULARY):
                found[stage] += 1
    return dict(found)


def _imported_modules(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def string_imports(root: Path) -> set[str]:
    """`path: text` of each import of the package that is written as a string."""
    names = {_dotted(module) for module in modules(root)}
    return {
        f"{module.path}: {text}"
        for module in modules(root)
        for text in _imported_strings(module.tree, names)
    }


def _dotted(module: Module) -> str:
    inner = module.path.removesuffix(".py").removesuffix("__init__").rstrip("/")
    return f"{PACKAGE}.{inner.replace('/', '.')}"


def _imported_strings(tree: ast.Module, names: Collection[str]) -> Iterator[str]:
    """What is given to an import by string, and each string that names one of our modules.

    Such a string is imported somewhere, unless it is compared with the name of a module.
    """
    compared = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for part in (node.left, *node.comparators)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in compared and node.value in names:
            yield str(node.value)
        elif isinstance(node, ast.Call) and node.args and _imports_by_string(node):
            text = _text(node.args[0])
            if re.match(rf"{PACKAGE}\b|\.", text) and text not in names:
                yield text


def _imports_by_string(node: ast.Call) -> bool:
    return ast.unparse(node.func).rpartition(".")[2] in ("import_module", "__import__")


def _text(node: ast.expr) -> str:
    """A string as it is written, with names in braces where it is computed."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        parts = (_text(part) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        return "".join(parts)
    return ""


def loss_lists(root: Path, names: Collection[str]) -> list[str]:
    """`path:line: names` of each collection outside of the contracts that lists losses."""
    found = []
    for module in modules(root):
        if module.stage == "contracts":
            continue
        for node in ast.walk(module.tree):
            listed = sorted(set(_listed(node)) & set(names))
            if len(listed) > 1:
                line = getattr(node, "lineno", 0)
                found.append(f"{module.path}:{line}: {', '.join(listed)}")
    return found


def _listed(node: ast.AST) -> Iterator[str]:
    """The strings that are items of a literal collection, or the words of one such string."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        items = node.elts
    elif isinstance(node, ast.Dict):
        items = [*filter(None, node.keys), *node.values]
    elif isinstance(node, ast.MatchOr):
        items = [each.value for each in node.patterns if isinstance(each, ast.MatchValue)]
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from node.value.split() if re.fullmatch(r"[\w\s]+", node.value) else ()
        return
    else:
        return
    for item in items:
        if isinstance(item, ast.Constant) and isinstance(item.value, str):
            yield item.value
        elif isinstance(item, ast.Starred):
            yield from _listed(item.value)
