"""An algorithm is one file: its command, its options and its run are found from it."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from wellshaped.cli import main
from wellshaped.cli.train import KINDS
from wellshaped.records.phrase import UserError
from wellshaped.train import algorithms as package
from wellshaped.train.algorithms import algorithm, algorithms
from wellshaped.train.algorithms.ppo import Ppo
from wellshaped.train.algorithms.reward import Reward
from wellshaped.train.options import check_settings, option, settings_from, settings_of
from wellshaped.train.rollout_algorithm import RolloutAlgorithm
from wellshaped.train.supervised_algorithm import SupervisedAlgorithm

FILES = sorted(path.stem for path in Path(package.__file__).parent.glob("[a-z]*.py"))


def test_every_file_is_a_kind_of_training_by_its_name():
    found = {**algorithms(SupervisedAlgorithm), **algorithms(RolloutAlgorithm)}
    assert sorted(found) == FILES
    assert all(each.name == name for name, each in found.items())
    assert set(FILES) <= set(KINDS)


def test_a_planted_file_is_a_command_with_its_options(tmp_path):
    """In a process of its own, whose package has one more file."""
    (tmp_path / "rloo.py").write_text(
        "from dataclasses import dataclass\n"
        "from wellshaped.train.algorithms.reinforce import Reinforce\n"
        "from wellshaped.train.options import option\n"
        "@dataclass(frozen=True, kw_only=True)\n"
        "class Rloo(Reinforce):\n"
        "    name = 'rloo'\n"
        "    help = 'a policy, by leaving one out'\n"
        "    baseline: float = option(0.5, 'of the reward')\n",
        encoding="utf-8",
    )
    code = (
        "import sys\n"
        "from wellshaped.train import algorithms\n"
        f"algorithms.__path__.append({str(tmp_path)!r})\n"
        "from wellshaped.cli import main\n"
        "main(['train', '--help']); main(['train', 'rloo', '--help'])\n"
        "from wellshaped.train.rollout import rollout_settings\n"
        "print(rollout_settings('rloo', {'baseline': 2.0, 'temperature': 0.5}).marks()['baseline'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "a policy, by leaving one out" in done.stdout, done.stderr
    assert "--baseline X" in done.stdout
    assert done.stdout.endswith("2.0\n")


def test_commands_are_read_without_torch():
    code = (
        "import sys; from wellshaped.cli import main\n"
        "for line in (['--help'], ['train', '--help'], ['train', 'ppo', '--help']):\n"
        "    main(line)\n"
        "print([name for name in ('torch', 'transformers', 'accelerate') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.endswith("[]\n"), done.stderr


def test_a_method_that_is_none_is_refused():
    with pytest.raises(UserError, match=r"WS988.*`method`.*ppo, reinforce.*juggle"):
        algorithm(RolloutAlgorithm, "juggle")


def test_settings_are_found_in_their_parts():
    made = settings_from(Reward, {"smoothing": 0.1, "lora": 4, "epochs": 2, "pooling": "mean"})
    assert (made.preference.smoothing, made.adaptation.lora) == (0.1, 4)
    assert (made.loop.epochs, made.loop.watch, made.pooling) == (2, "accuracy", "mean")
    with pytest.raises(UserError, match=r"WS988.*`speed`"):
        settings_from(Reward, {"speed": 1})


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"minibatch": 0}, "`minibatch` is a number from 1 on, not 0"),
        ({"kl": float("nan")}, "`kl` is a number from 0 on"),
        ({"value": "none"}, "`value`.*separate, shared"),
        ({"hold_out": 1.0}, "hold_out"),
        ({"prompts": 2, "minibatch": 3}, "`minibatch` is 3"),
    ],
)
def test_settings_are_checked(settings, said):
    with pytest.raises(UserError, match=said):
        settings_from(Ppo, settings)


def test_a_changed_default_keeps_its_help():
    @dataclass(frozen=True)
    class Base:
        size: int = option(1, "of a thing", least=1)

    @dataclass(frozen=True)
    class Changed(Base):
        size: int = 5

    globals().update(Base=Base, Changed=Changed)
    ((setting),) = settings_of(Changed)
    assert (setting.name, setting.type, setting.option.help) == ("size", int, "of a thing")
    with pytest.raises(UserError, match="`size`"):
        check_settings(Changed(0))


def test_an_unknown_kind_is_one_line(capsys):
    assert main(["train", "dpo"]) == 2
    assert capsys.readouterr().err.startswith("error[WS932]: argument KIND: invalid choice: 'dpo'")
