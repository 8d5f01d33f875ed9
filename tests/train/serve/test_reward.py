"""A reward behind HTTP gives what it gives here, of texts and of conversations."""

import pytest

from tests.train.serve.servers import running
from wellshaped.records.phrase import UserError
from wellshaped.train.rl.scoring import Dialogue
from wellshaped.train.rl.start import load_reward
from wellshaped.train.serve.asking import Refused, ask, base_of
from wellshaped.train.serve.reward import RewardService
from wellshaped.train.serve.web import Route
from wellshaped.train.telling import nothing

ASKED = [{"role": "user", "content": "how was it ?"}]
MINE = """
def score(texts):
    return [float("nan") if "strange" in t else 1 / len(t) for t in texts]
def turns(texts):
    return [len(t.messages) if hasattr(t, "messages") else 0 for t in texts]
"""


def texts():
    plain = ["a good hotel .", "the soup was cold and the room dark ."]
    return [*plain, Dialogue.answered(ASKED, "user: how was it ?\nassistant:", " fine . ")]


@pytest.fixture(scope="module")
def served(reward):
    with running(RewardService(reward, tell=nothing).routes()) as server:
        yield server.url


@pytest.fixture(scope="module")
def mine(tmp_path_factory):
    file = tmp_path_factory.mktemp("mine") / "mine.py"
    file.write_text(MINE)
    return file


def test_texts_and_conversations_are_scored_as_here(served, reward):
    here, name = load_reward(reward)
    there, told = load_reward(served)
    assert told == name == str(reward)
    assert there(texts()) == here(texts())
    assert len(set(there(texts()))) == 3
    # The conversation, not its text.
    assert here([str(one) for one in texts()])[2] != there(texts())[2]


def test_messages_alone_are_a_conversation(served, reward):
    here, _ = load_reward(reward)
    answer = ask(f"{base_of(served)}/rewards", {"texts": [texts()[2].messages]})
    assert answer == {"rewards": here([texts()[2]])}


def test_a_function_is_served_and_gets_the_messages(mine):
    with running(RewardService(f"{mine}:turns", tell=nothing).routes()) as server:
        assert load_reward(server.url)[0](texts()) == [0, 0, 2]
        found = ask(f"{base_of(server.url)}/rewards", {"texts": ["a", ASKED]})
    assert found == {"rewards": [0, 1]}


def test_what_a_function_does_wrong_is_told_with_the_text(mine):
    with running(RewardService(f"{mine}:score", tell=nothing).routes()) as server:
        there, _ = load_reward(server.url)
        with pytest.raises(UserError, match=r"WS998.*WS995.*ZeroDivisionError.*on the text ''"):
            there(["fine", ""])
        with pytest.raises(UserError, match=r"WS998.*WS996.*nan for the text 'strange'"):
            there(["fine", "strange"])
        assert there(["four"]) == [0.25]


@pytest.mark.parametrize("given", ["a text", [3], [{"text": "a"}], [{"messages": ASKED}], [[3]]])
def test_what_is_no_text_is_refused(served, given):
    with pytest.raises(Refused, match=r"WS998.*`texts` cannot be"):
        ask(f"{base_of(served)}/rewards", {"texts": given})


def test_another_server_is_no_reward():
    listed = {"data": [{"id": "x", "owned_by": "vllm"}]}
    routes = {("GET", "/v1/models"): Route(lambda body, query: listed)}
    with (
        running(routes) as server,
        pytest.raises(UserError, match=r"WS998.*`wellshaped serve reward`"),
    ):
        load_reward(server.url)


def test_an_answer_without_numbers_is_told():
    listed = {"data": [{"id": "x", "owned_by": "wellshaped", "serves": "reward"}]}
    routes = {
        ("GET", "/v1/models"): Route(lambda body, query: listed),
        ("POST", "/v1/rewards"): Route(lambda body, query: {"rewards": [None]}, "json"),
    }
    with running(routes) as server:
        there, _ = load_reward(server.url)
        with pytest.raises(UserError, match=r"WS998.*cannot be read: TypeError"):
            there(["a"])


def test_nothing_to_serve_is_told(tmp_path):
    with pytest.raises(UserError, match=r"WS995.*cannot be loaded"):
        RewardService("nowhere.py:score", tell=nothing)
    with pytest.raises(UserError, match=r"WS993"):
        RewardService(tmp_path, tell=nothing)
