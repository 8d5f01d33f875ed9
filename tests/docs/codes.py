"""The pages of the codes, made of the rules, their examples and what is said of them."""

from pathlib import Path

from wellshaped.diagnose.faults import Rule, rules
from wellshaped.diagnose.own_codes import PAGES
from wellshaped.locale.catalogue import ENGLISH
from wellshaped.report.text.page import first_sentence

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "codes"
GOLDEN = ROOT / "tests" / "golden" / "rules"
FAMILIES = {
    "1": "Wrong number of axes",
    "2": "An axis has the wrong size",
    "3": "Runs, and gives the wrong answer",
    "4": "Right only at some batch sizes",
    "5": "Right shape, wrong kind of values",
    "9": "What could not be observed, decided or verified",
}
_MADE = "<!-- Made by `make docs` from the rule; edit the rule. -->"
_IMPORTS = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\n"


def pages() -> dict[str, str]:
    """The text of every page by the name of its file."""
    found = {f"{each.code}.md": _rule(each) for each in rules()}
    found |= {f"{code}.md": _own(code, *page) for code, page in PAGES.items()}
    return {"README.md": _index(), **dict(sorted(found.items()))}


def _rule(rule: Rule) -> str:
    said = (GOLDEN / f"{rule.code}.txt").read_text(encoding="utf-8")
    parts = [
        _MADE,
        f"# {rule.code}: {rule.name}",
        f"*{rule.severity}*. {_fenced(rule.page)}",
        "## What it says",
        "Of these programs, one after the other:",
        *(f"```python\n{_IMPORTS}{each.rstrip()}\n```" for each in rule.fires),
        f"```text\n{said.rstrip()}\n```",
        "## What stays quiet",
        *(f"```python\n{_IMPORTS}{each.rstrip()}\n```" for each in rule.quiet),
        "[All codes](README.md)",
    ]
    return "\n\n".join(parts) + "\n"


def _own(code: str, name: str, page: str) -> str:
    return f"{_MADE}\n\n# {code}: {name}\n\n{_fenced(page)}\n\n[All codes](README.md)\n"


def _fenced(page: str) -> str:
    """The page with its indented examples as blocks."""
    return "\n\n".join(
        "```python\n" + "\n".join(line[4:] for line in part.split("\n")) + "\n```"
        if part.startswith("    ")
        else part
        for part in page.strip("\n").split("\n\n")
    )


def _index() -> str:
    names = {each.code: each.name for each in rules()} | {c: p[0] for c, p in PAGES.items()}
    parts = [
        _MADE,
        "# Codes",
        "Each is also printed by `wellshaped explain CODE`, in four languages.",
    ]
    for digit, title in FAMILIES.items():
        lines = [
            f"| [{code}]({code}.md) | {names[code]} | {first_sentence(code, ENGLISH)} |"
            for code in sorted(names)
            if code[2] == digit
        ]
        parts += [f"## {title}", "\n".join(["| code | name | |", "|---|---|---|", *lines])]
    return "\n\n".join(parts) + "\n"


def write() -> None:
    """Put all pages in their place, and nothing else there."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = pages()
    for old in FOLDER.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
