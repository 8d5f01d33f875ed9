"""A server is asked for its models before a run, and is brought the policy as a folder."""

import sys

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from tests.train.rl.runs import improved
from tests.train.rl.servers import policy_folder, running
from wellshaped.records.phrase import Phrase, UserError
from wellshaped.train.rl import loop
from wellshaped.train.rl.generation.server_probe import find_server

HERE = "http://127.0.0.1:1/v1"


def listing(*names):
    data = [{"id": name, "owned_by": "vllm"} for name in names]
    return {("GET", "/v1/models"): lambda body: {"data": data}}


def test_the_only_model_of_a_server_need_not_be_named():
    with running(listing("a")) as url:
        found = find_server(url, None)
        assert (found.url, found.name) == (f"{url}/v1", "a")
        assert find_server((f"{url}/v1", "a"), None) == found
        with pytest.raises(UserError, match=r"WS998.*has no model `b`; known are a"):
            find_server((url, "b"), None)
        # An adapter is known once it was brought.
        assert find_server((url, "b"), "load {folder}").name == "b"
    with running(listing("a", "b")) as url:
        assert find_server((url, "b"), None).name == "b"
        with pytest.raises(UserError, match=r"WS998.*has no model `-`; known are a, b"):
            find_server(url, None)


def test_a_server_that_lists_no_models_is_asked_by_name():
    with running({}) as url:
        assert find_server((url, "b"), None).name == "b"
        with pytest.raises(UserError, match=r"WS998.*has no model `-`"):
            find_server(url, None)


def test_what_does_not_fit_together_is_told():
    assert find_server(None, None) is None
    with pytest.raises(UserError, match=r"WS988.*none is given"):
        find_server(None, "load {folder}")
    with pytest.raises(UserError, match=r"WS988: `load it` has no `{folder}`"):
        find_server(HERE, "load it")
    with pytest.raises(UserError, match=r"WS998.*does not answer"):
        find_server(HERE, None)
    with pytest.raises(UserError, match=r"WS998.*is no address"):
        find_server("127.0.0.1:8000", None)


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    return policy_folder(tmp_path_factory.mktemp("start"))


def length(texts):
    return [len(text) / 10 for text in texts]


def completing(asked):
    """A server whose answers are short."""

    def complete(body):
        asked.append(body["model"])
        rows = range(len(body["prompt"]))
        return {"choices": [{"index": n, "token_ids": [5 + n, 5 + n], "text": ""} for n in rows]}

    return {**listing("a"), ("POST", "/v1/completions"): complete}


@pytest.fixture(autouse=True)
def without_pictures(monkeypatch):
    monkeypatch.setattr(loop, "keep_curves", lambda *_: None)


def test_a_server_that_keeps_its_weights_is_told(start, tmp_path):
    told, asked = [], []
    with running(completing(asked)) as url:
        improved(start, tmp_path / "run", endpoint=url, updates=1, tell=told.append)
    assert Phrase("server_keeps_weights", {"url": f"{url}/v1"}) in told
    assert set(asked) == {"a"}
    assert not (tmp_path / "run" / "served").exists()


@pytest.mark.parametrize("adapter", [{}, {"lora": 2}], ids=["all", "adapter"])
def test_a_folder_with_the_policy_is_brought_once_for_each_update(start, tmp_path, adapter):
    brought = []

    def bring(folder):
        model = AutoModelForCausalLM.from_pretrained(folder)
        assert AutoTokenizer.from_pretrained(folder).eos_token_id == 0
        assert (folder / "adapter_config.json").exists() == bool(adapter)
        brought.append((folder.name, model(torch.tensor([[5, 6, 7]])).logits))

    options = {"updates": 2, "refresh": bring, "reward": length, "value": "shared", **adapter}
    with running(completing([])) as url:
        trained = improved(start, tmp_path / "run", endpoint=url, **options, learning_rate=1e-2)
    assert [name for name, _ in brought] == [
        "update-00000000",
        "update-00000001",
        "update-00000002",
    ]
    logits = trained.model(torch.tensor([[5, 6, 7]])).logits
    assert torch.allclose(brought[2][1], logits, atol=1e-5)
    assert not torch.allclose(brought[1][1], logits, atol=1e-5)
    # The server may have the last one open; those before it are gone.
    assert [each.name for each in (tmp_path / "run" / "served").iterdir()] == ["update-00000002"]


def test_a_command_gets_the_folder_and_its_failure_is_told(start, tmp_path):
    told = []
    note = tmp_path / "a note"
    program = "import sys; open(sys.argv[1], 'a').write(sys.argv[2] + chr(10))"
    command = f"""{sys.executable} -c "{program}" '{note}' {{folder}}"""
    with running(completing([])) as url:
        out = tmp_path / "a run"
        options = {"endpoint": url, "updates": 1, "tell": told.append}
        improved(start, out, refresh=command, **options)
        lines = [str(out / "served" / f"update-{number:08d}") for number in range(2)]
        assert note.read_text().splitlines() == lines
        facts = {"url": f"{url}/v1", "command": command}
        assert Phrase("server_is_refreshed", facts) in told
        failing = f"{sys.executable} -c 'import sys; sys.exit(\"no room\")' {{folder}}"
        with pytest.raises(UserError, match=r"WS998.*did not bring the weights.*1: no room"):
            improved(start, tmp_path / "b", refresh=failing, **options)
        with pytest.raises(UserError, match=r"WS998.*did not bring.*No such file"):
            improved(start, tmp_path / "c", refresh="nobody-has-this {folder}", **options)
