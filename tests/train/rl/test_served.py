"""A run whose responses another process writes is the run without one, to the last bit."""

import multiprocessing
from dataclasses import replace
from functools import cache

import pytest

from tests.train.pairs import SHARDED, finish, pair
from tests.train.rl.runs import alone, improved, weights
from tests.train.serve.servers import policy_folder, reward_folder, running
from tests.train.tables import without_clock
from wellshaped.records.phrase import Phrase, UserError
from wellshaped.records.training import Step
from wellshaped.train.rl import loop
from wellshaped.train.serve.asking import ask, base_of
from wellshaped.train.serve.policy import PolicyService
from wellshaped.train.serve.reward import RewardService
from wellshaped.train.serve.web import Route
from wellshaped.train.telling import nothing

OPTIONS = {"updates": 2, "evaluate_every": 2, "seed": 3}
RUNS = {
    "ppo": {"normalise": 4, "temperature": 0.8, "top_k": 40, "min_length": 2},
    "reinforce": {"method": "reinforce", "samples": 2, "precision": "bf16"},
    "adapter": {"lora": 4, "value": "shared", "learning_rate": 1e-2},
}


@pytest.fixture(autouse=True, scope="module")
def without_pictures():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(loop, "keep_curves", lambda *_: None)
        yield


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    return policy_folder(tmp_path_factory.mktemp("start"))


@pytest.fixture(scope="module")
def reward(tmp_path_factory):
    return reward_folder(tmp_path_factory.mktemp("reward"))


@pytest.fixture(scope="module")
def here(start, reward, tmp_path_factory):
    """Runs without servers, each made once."""

    @cache
    def run(name):
        out = tmp_path_factory.mktemp("here") / name
        return improved(start, out, reward=reward, **OPTIONS, **RUNS[name])

    return run


def assert_same_run(one, other):
    for name in ("train", "evaluation"):
        assert without_clock(one.folder, name) == without_clock(other.folder, name)
    texts = [(each.folder / "samples.jsonl").read_text() for each in (one, other)]
    assert texts[0] == texts[1]
    found, expected = weights(one), weights(other)
    assert all(found[name].equal(expected[name]) for name in expected)


@pytest.mark.parametrize("name", RUNS)
def test_the_run_is_the_same_with_a_served_policy_and_reward(start, reward, here, tmp_path, name):
    told, shown = [], []
    writing = PolicyService(start, tell=told.append)
    scoring = RewardService(reward, tell=nothing)
    with running(writing.routes()) as writer, running(scoring.routes()) as scorer:
        there = improved(
            start,
            tmp_path / "there",
            reward=scorer.url,
            endpoint=writer.url,
            tell=shown.append,
            **OPTIONS,
            **RUNS[name],
        )
    assert_same_run(there, here(name))
    assert Phrase("server_gets_weights", {"url": f"{writer.url}/v1"}) in shown
    counts = [one.facts["count"] for one in told if one.name == "served_weights"]
    # Once before the first responses, once after each update; of an adapter, the rest only once.
    assert len(counts) == 3
    assert (counts[0] > 2 * counts[1]) == (name == "adapter")
    assert counts[1] == counts[2]


def test_an_adapter_finds_a_server_that_was_begun_anew(start, reward, here, tmp_path):
    services = [PolicyService(start, tell=nothing) for _ in range(2)]

    def by_one(key, route):
        """Of the first service, and then of the second."""
        return replace(
            route, answer=lambda body, query: services[0].routes()[key].answer(body, query)
        )

    def begin_anew(record):
        if isinstance(record, Step) and record.step == 1:
            services.pop(0)

    routes = {key: by_one(key, route) for key, route in services[0].routes().items()}
    given = {"reward": reward, "tell": begin_anew, **OPTIONS, **RUNS["adapter"]}
    with running(routes) as server:
        there = improved(start, tmp_path / "there", endpoint=server.url, **given)
    assert len(services) == 1
    assert_same_run(there, here("adapter"))


@pytest.mark.slow
@pytest.mark.parametrize("shared_out", [{}, SHARDED], ids=["copied", "sharded"])
def test_two_processes_ask_for_their_shares(start, reward, here, tmp_path, shared_out):
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.train.rl.runs"])
    told = []
    with running(PolicyService(start, tell=told.append).routes()) as server:
        options = {"endpoint": server.url, "reward": str(reward), **OPTIONS, **RUNS["ppo"]}
        options["updates"] = 1
        given = [(str(start), str(tmp_path), one, options) for one in pair(**shared_out)]
        children = [context.Process(target=alone, args=one) for one in given]
        for child in children:
            child.start()
        finish(*children)
    (row,), other = without_clock(tmp_path, "train"), without_clock(here("ppo").folder, "train")[0]
    for name in ("score", "kl", "policy_loss", "value_loss", "entropy"):
        assert float(row[name]) == pytest.approx(float(other[name]), abs=1e-4, rel=1e-4), name
    # The weights came from one of them, and only when they were new.
    assert sum(one.name == "served_weights" for one in told) == 2
    counts = [one.facts["count"] for one in told if one.name == "served_responses"]
    normalised, evaluated, updated = (2, 2), (3, 2), (3, 3)
    assert sorted(counts) == sorted((*normalised, *evaluated, *updated, *evaluated))


def test_a_server_of_another_model_is_told_before_anything_is_learned(start, tmp_path):
    wide = PolicyService(policy_folder(tmp_path / "wide", width=32), tell=nothing)
    refused = pytest.raises(
        UserError, match=r"WS998.*refused with status 400.*the tensor `transformer"
    )
    with running(wide.routes()) as server, refused:
        improved(start, tmp_path / "a", endpoint=server.url)
    # The same shapes, and yet another model.
    strange = PolicyService(start, tell=nothing)
    for block in strange.actor.model.transformer.h:
        block.attn.scaling = 3.0
        block.attn.scale_attn_weights = False
    another = pytest.raises(UserError, match=r"WS998.*writes with another model.*differ by")
    with running(strange.routes()) as server, another:
        improved(start, tmp_path / "b", endpoint=server.url)


def test_a_server_that_another_run_uses_is_told(start, tmp_path):
    service = PolicyService(start, tell=nothing)

    def disturbed(file, query):
        answer = service.weights(file, query)
        service.version = "of another run"
        return answer

    changed = Route(disturbed, "file", 10**8)
    refused = pytest.raises(
        UserError, match=r"WS998.*status 409.*the server has other weights by now"
    )
    with running({**service.routes(), ("PUT", "/v1/weights"): changed}) as server, refused:
        improved(start, tmp_path / "a", endpoint=server.url)


def test_a_server_that_dies_in_the_middle_is_told_and_the_run_goes_on(
    start, reward, here, tmp_path
):
    given = {"reward": reward, **OPTIONS, **RUNS["ppo"]}
    with running(PolicyService(start, tell=nothing).routes()) as server:

        def kill(record):
            if isinstance(record, Step) and record.step == 1:
                server.server_close()

        with pytest.raises(UserError, match=r"WS998: the server at \S+ does not answer"):
            improved(start, tmp_path / "run", endpoint=server.url, tell=kill, **given)
    with running(PolicyService(start, tell=nothing).routes()) as server:
        again = improved(start, tmp_path / "run", resume=True, endpoint=server.url, **given)
    assert_same_run(again, here("ppo"))


def test_responses_that_cannot_be_read_are_told(start, tmp_path):
    service = PolicyService(start, tell=nothing)

    def without(body, query):
        found = service.completions(body, query)
        for each in found["choices"]:
            each["logprobs"] = None
        return found

    routes = {**service.routes(), ("POST", "/v1/completions"): Route(without, "json")}
    with running(routes) as server:
        assert ask(f"{base_of(server.url)}/completions", {"prompt": "a"})["choices"]
        with pytest.raises(UserError, match=r"WS998.*cannot be read: TypeError"):
            improved(start, tmp_path / "a", endpoint=server.url)
