"""docs/reward-models.md: its example runs, and it names the short cuts there are."""

import re
from pathlib import Path

from tests.train.reward.families import group, reward_model
from wellshaped.train.reward.plan import SHORT_CUTS

PAGE = (Path(__file__).parents[3] / "docs" / "reward-models.md").read_text(encoding="utf-8")


def test_the_example_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    reward_model("gpt2").save_pretrained("path/or/name")
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    chosen, rejected = group(5, 3, 4)
    names = {"chosen": chosen, "rejected": rejected, "text": chosen, "tokenizer": None}
    exec(code, names)
    assert names["rewards"].shape == (5,)
    assert (tmp_path / "folder" / "config.json").exists()


def test_the_table_has_every_short_cut():
    assert re.findall(r"^\| `(\w+)`", PAGE, flags=re.MULTILINE) == list(SHORT_CUTS)
