"""Names of models: the hub is asked where it answers, and soon given up where it does not."""

import pytest

from wellshaped.records.phrase import UserError
from wellshaped.train.models import pretrained
from wellshaped.train.models.pretrained import hub_answers, loading


@pytest.fixture
def answers(monkeypatch):
    """Sets whether the hub answers."""
    return lambda yes: monkeypatch.setattr(pretrained, "hub_answers", lambda: yes)


def test_a_name_is_looked_up_on_the_hub_that_answers(answers):
    answers(True)
    with loading("some/name", "no_model") as options:
        assert options == {}


def test_a_hub_that_does_not_answer_is_not_waited_for(answers):
    answers(False)
    told = r"WS993.*`some-name` is no folder, .* does not answer"
    with pytest.raises(UserError, match=told), loading("some-name", "no_model") as options:
        raise OSError(options.pop("local_files_only"))
    assert options == {}


def test_a_folder_asks_nobody(tmp_path, monkeypatch):
    monkeypatch.setattr(pretrained, "hub_answers", None)  # would raise
    with loading(tmp_path, "no_model") as options:
        assert options == {}
    gone = loading(tmp_path / "not-there", "no_model")
    with pytest.raises(UserError, match=r"WS993.*no folder"), gone:
        pass


def test_what_transformers_says_is_told_in_one_line(tmp_path):
    told = r"WS993\]?: cannot load a model from .*: first$"
    with pytest.raises(UserError, match=told), loading(tmp_path, "no_model"):
        raise ValueError("first\nsecond")


@pytest.mark.parametrize("yes", [True, False])
def test_the_hub_is_tried_once_and_shortly(monkeypatch, yes):
    tried = []

    class Session:
        def head(self, url, timeout):
            tried.append((url, timeout))
            if not yes:
                raise ConnectionError

    monkeypatch.setattr("huggingface_hub.get_session", Session)
    hub_answers.cache_clear()
    try:
        assert [hub_answers(), hub_answers()] == [yes, yes]
    finally:
        hub_answers.cache_clear()
    ((url, timeout),) = tried
    assert url.startswith("https://")
    assert timeout < 5
