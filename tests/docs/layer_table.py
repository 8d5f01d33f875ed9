"""The layers of the package as a table of `docs/how-it-works.md`: what each is and may import."""

import ast
import re
from pathlib import Path

from tests.layers import MAY_IMPORT, OWNERS, STAGES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-it-works.md"
SOURCE = ROOT / "src" / "wellshaped"
_MARKED = re.compile(r"(<!-- layers:start -->\n).*?(<!-- layers:end -->)", re.DOTALL)
_ALL = "all stages"


def with_table(page: str) -> str:
    """The page with the table as it is now."""
    return _MARKED.sub(lambda found: f"{found[1]}\n{table()}\n\n{found[2]}", page)


def table() -> str:
    """A line for each layer, in the order of the import table."""
    lines = [
        f"| `{layer}` | {_concept(layer)} | {_imports(layer)} | {_packages(layer)} |"
        for layer in MAY_IMPORT
    ]
    return "\n".join(
        ["| layer | what it is | may import | packages |", "|---|---|---|---|", *lines]
    )


def _concept(layer: str) -> str:
    """The first sentence of the layer's own docstring."""
    path = SOURCE.joinpath(*layer.replace("*.", "").split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    said = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    first = said.partition("\n\n")[0].replace("\n", " ")
    return first.removesuffix(".").replace("|", r"\|")


def _imports(layer: str) -> str:
    allowed = MAY_IMPORT[layer]
    if set(STAGES) <= set(allowed):
        rest = [name for name in allowed if name not in STAGES]
        return ", ".join([_ALL, *(f"`{name}`" for name in rest)])
    return ", ".join(f"`{name}`" for name in allowed) or "nothing"


def _packages(layer: str) -> str:
    return ", ".join(f"`{name}`" for name, owners in OWNERS.items() if layer in owners)


def write() -> None:
    """Put the table in its place."""
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
