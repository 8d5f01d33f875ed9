"""Makes up data files of the format and at the place where a script looks for a data set.

They are pictures of noise with a bright bar whose height is the class: enough to train on.
"""

from __future__ import annotations

import random
import struct
from pathlib import Path

ROWS = {"train": 150, "t10k": 50}
SIDE = 28


def make(what: str, folder: Path, home: Path) -> None:
    """Files of a data set, named `kind:place`, the place as the script in the folder writes it."""
    kind, _, place = what.partition(":")
    at = home / place[2:] if place.startswith("~/") else folder / place
    {"mnist": _mnist, "fashion": _fashion, "emnist": _emnist}[kind](at)


def _mnist(folder: Path) -> None:
    for part, rows in ROWS.items():
        _idx(folder / "MNIST" / "raw", part, rows, classes=10)


def _fashion(folder: Path) -> None:
    for part, rows in ROWS.items():
        _idx(folder / "FashionMNIST" / "raw", part, rows, classes=10)


def _emnist(folder: Path) -> None:
    for part, rows in {"train": ROWS["train"], "test": ROWS["t10k"]}.items():
        _idx(folder / "EMNIST" / "raw", f"emnist-balanced-{part}", rows, classes=47)


def _idx(folder: Path, part: str, rows: int, *, classes: int) -> None:
    """The two files of LeCun's format: pictures, and a label for each."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = random.Random(part)
    labels = bytes(row % classes for row in range(rows))
    pictures = b"".join(_picture(label, numbers) for label in labels)
    head = struct.pack(">4BIII", 0, 0, 8, 3, rows, SIDE, SIDE)
    (folder / f"{part}-images-idx3-ubyte").write_bytes(head + pictures)
    head = struct.pack(">4BI", 0, 0, 8, 1, rows)
    (folder / f"{part}-labels-idx1-ubyte").write_bytes(head + labels)


def _picture(label: int, numbers: random.Random) -> bytes:
    lines = [bytearray(numbers.randbytes(SIDE)) for _ in range(SIDE)]
    for line in lines[: 2 + label % (SIDE - 2)]:
        line[4:8] = b"\xff" * 4
    return b"".join(lines)
