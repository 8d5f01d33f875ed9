"""What a run left in its folder becomes the page of `train --report`."""

import argparse
import json

from wellshaped.cli import train
from wellshaped.records.training.progress import Ended
from wellshaped.train.artifacts.run_artifacts import read_curves, read_samples
from wellshaped.train.artifacts.track import TABLES, Track


def leave(folder) -> None:
    """Tables and texts, as a run leaves them."""
    track = Track(folder / TABLES)
    for step in (1, 2, 3):
        track.write("train", step, {"loss": 1 / step})
    rows = [
        {"step": step, "prompt": "p", "response": f"r{step}", "score": 1.0, "kl": 0.5}
        for step in (1, 3, 3)
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "samples.jsonl").write_text(text, encoding="utf-8")


def test_curves_and_the_last_texts(tmp_path):
    leave(tmp_path)
    (panel,) = read_curves(tmp_path).panels
    assert panel[0] == "loss"
    assert panel[1][0].points == ((1.0, 1.0), (2.0, 0.5), (3.0, 1 / 3))
    (samples,) = read_samples(tmp_path)
    assert (samples.step, len(samples.samples)) == (3, 2)


def test_a_folder_without_a_run(tmp_path):
    assert read_curves(tmp_path) is None
    assert read_samples(tmp_path) == ()


def test_report_is_written_after_the_run_and_is_no_setting_of_it(tmp_path, monkeypatch):
    class Kind:
        @staticmethod
        def act(arguments, tell):
            assert "report" not in vars(arguments)
            leave(tmp_path)
            tell(Ended("finished", 3, 3, {"loss": 0.5}))
            return 0

    monkeypatch.setitem(train.KINDS, "classify", Kind)
    file = tmp_path / "out.html"
    given = {"kind": "classify", "out": str(tmp_path), "lang": "es", "report": str(file)}
    given["dry_run"] = False
    assert train.act(argparse.Namespace(**given)) == 0
    page = file.read_text(encoding="utf-8")
    assert "muestras en el paso 3" in page
    assert "polyline" in page
    assert "terminado tras 3 pasos" in page
