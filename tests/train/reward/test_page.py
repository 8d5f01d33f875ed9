"""docs/reward-models.md names the short cuts there are; its example runs in tests/docs."""

import re
from pathlib import Path

from wellshaped.train.reward.plan import SHORT_CUTS

PAGE = (Path(__file__).parents[3] / "docs" / "reward-models.md").read_text(encoding="utf-8")


def test_the_table_has_every_short_cut():
    assert re.findall(r"^\| `(\w+)`", PAGE, flags=re.MULTILINE) == list(SHORT_CUTS)
