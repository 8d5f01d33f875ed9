"""The dry run of a training command takes the step that training takes, and check sees into it."""

import json
import re

import pytest
import torch
from transformers import AutoModelForCausalLM

from tests.repeated import few
from tests.train.dry import checked
from tests.train.reward.runs import save_decoder, write_rows
from tests.train.vocabularies import tiny
from wellshaped.cli import main
from wellshaped.records.phrase import UserError
from wellshaped.records.training.progress import Step
from wellshaped.train import toy_task
from wellshaped.train.algorithms import reward
from wellshaped.train.dry_run import program_text, rehearse
from wellshaped.train.events import discard
from wellshaped.train.models.tiny import tiny_config
from wellshaped.train.rl.policy_step import PolicyStep
from wellshaped.train.supervised import train_supervised
from wellshaped.train.tasks.functions import train

SMALL = {"prompts": 8, "minibatch": 4, "response_length": 6}
METHODS = ["ppo", "reinforce"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A policy and a reward model that know nothing, rows for each of them, and a reward."""
    found = tmp_path_factory.mktemp("dry")
    tiny().save_pretrained(found / "model")
    torch.manual_seed(0)
    config = tiny_config(tiny(), width=16, layers=1)
    AutoModelForCausalLM.from_config(config).save_pretrained(found / "model")
    save_decoder(found / "decoder")
    write_rows(found / "pairs.jsonl", 30)
    for name, rows in (
        ("demonstrations", toy_task.demonstrations(0)[:12]),
        ("prompts", toy_task.prompts(0)[0][:12]),
    ):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (found / f"{name}.jsonl").write_text(text, encoding="utf-8")
    length = "def length(texts):\n    return [float(len(text)) for text in texts]\n"
    (found / "rewards.py").write_text(length, encoding="utf-8")
    return found


def options_of(kind, folder):
    """What a command of this kind is given."""
    if kind == "reward":
        return {"model": folder / "decoder", "data": [folder / "pairs.jsonl"], "batch": 8}
    if kind == "sft":
        return {"model": folder / "model", "data": [folder / "demonstrations.jsonl"], "batch": 6}
    if kind in METHODS:
        source = f"{folder / 'rewards.py'}:length"
        data = [folder / "prompts.jsonl"]
        return {"model": folder / "model", "data": data, "reward": source, **SMALL}
    return {"data": None, "batch": 16}


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", few(["classify", "seq2seq", "reward", "sft", *METHODS], "reward", "reinforce")
)
def test_the_step_is_clean_at_every_batch_size(folder, tmp_path, kind):
    text = program_text(kind, tell=discard, **options_of(kind, folder))
    outcome = checked(tmp_path, text)
    assert not outcome.failure
    assert outcome.report.findings == ()
    (size,) = map(int, re.findall(r"batch_size=(\d+)", text))
    assert {1, size} <= set(outcome.met)
    assert len(outcome.met) >= 3


def losses_of(kind, folder, out):
    """The losses that training reports of its first steps."""
    told = []
    options = options_of(kind, folder)
    run = {"steps": 2, "tell": told.append, "learning_rate": 1e-2, "warmup": 0}
    if kind in ("reward", "sft"):
        train_supervised(kind, options.pop("model"), options.pop("data"), out=out, **run, **options)
    else:
        train(kind, options.pop("data"), **run, **options)
    steps = [each for each in told if isinstance(each, Step) and not each.evaluated]
    return [each.values["loss"] for each in steps]


@pytest.mark.parametrize("kind", ["classify", "regress", "tag", "seq2seq", "reward", "sft"])
def test_the_loss_is_that_of_the_training_step_on_the_same_batch(
    folder, tmp_path, kind, monkeypatch
):
    """Two steps: the second has the weights that the update of the first made."""
    batches = []
    monkeypatch.setattr(
        "wellshaped.train.loop.send_to_device", lambda batch, _: batches.append(batch) or batch
    )
    torch.manual_seed(0)
    wanted = losses_of(kind, folder, tmp_path / "run")
    options = {**options_of(kind, folder), "learning_rate": 1e-2, "warmup": 0, "steps": 2}
    training = rehearse(kind, **options)
    torch.manual_seed(0)  # of the dropout, which the loop seeds as well
    found = []
    for batch in batches[:2]:
        loss = training.loss(batch)
        loss.backward()
        training.update()
        found.append(loss.item())
    assert found == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_the_loss_of_a_policy_is_that_of_its_step(folder, method, monkeypatch):
    asked = []
    monkeypatch.setattr(PolicyStep, "loss", lambda *given: asked.append(given) or (None, {}))
    training = rehearse(method, **options_of(method, folder))
    assert training.loss(training.load([0, 1, 2])) is None
    ((step, experience, counts),) = asked
    assert (counts.responses, len(experience.scored)) == (3, 3)
    assert step.settings.name == method


def test_responses_come_in_groups_as_in_training(folder):
    options = {**options_of("reinforce", folder), "samples": 2}
    training = rehearse("reinforce", **options)
    assert training.batch == 2
    assert training.loss([0, 1]).requires_grad


@pytest.mark.slow
def test_a_fault_in_the_step_of_a_task_is_found(tmp_path):
    text = program_text("regress", tell=discard, data=None, batch=16)
    wrong = (
        "import torch\n"
        "from wellshaped.nn.tasks import Task\n"
        "Task.loss = lambda _, outputs, targets, *__, **___: torch.nn.functional.mse_loss(\n"
        "    outputs, targets.squeeze(1), reduction='sum')\n"
    )
    outcome = checked(tmp_path, text.replace("training = ", wrong + "training = ", 1))
    assert [each.diagnosis.finding.code for each in outcome.report.findings] == ["WS301"]


@pytest.mark.slow
def test_a_fault_in_the_loss_of_a_reward_model_is_found(folder, tmp_path):
    text = program_text("reward", tell=discard, **options_of("reward", folder))
    wrong = (
        "import torch\n"
        "from wellshaped.train.algorithms import reward\n"
        "one = torch.ones(1)\n"
        "reward._bradley_terry = lambda chosen, rejected, *_: (\n"
        "    torch.nn.functional.margin_ranking_loss(chosen, rejected, one, reduction='none'))\n"
    )
    outcome = checked(tmp_path, text.replace("training = ", wrong + "training = ", 1))
    assert [each.diagnosis.finding.code for each in outcome.report.findings] == ["WS301"]
    assert reward._bradley_terry.__module__ == "wellshaped.train.algorithms.reward"


def test_bad_rows_are_reported_before(tmp_path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"chosen": "a", "rejected": ""}\n', encoding="utf-8")
    with pytest.raises(UserError, match="WS984"):
        program_text("reward", model=None, data=[rows], tell=discard)


def test_the_command_trains_nothing_and_leaves_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "wellshaped.cli.train.dry_run.check_program", lambda text, _: print(text) or 0
    )
    assert main(["train", "reward", "--dry-run", "--batch", "4", "--lang", "en"]) == 0
    assert "batch_size=4" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []
