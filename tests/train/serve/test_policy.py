"""A policy behind HTTP writes what it writes here, and says what is wrong with a request."""

import pytest
import torch
from safetensors.torch import load_file, save_file

from tests.train.serve.servers import policy_folder, running
from wellshaped.records.phrase import Phrase
from wellshaped.train.rl.policy import Actor
from wellshaped.train.rl.rollout import Asked, PolicyGenerator
from wellshaped.train.rl.sampling import Sampling
from wellshaped.train.serve.asking import Refused, about, ask, base_of, put
from wellshaped.train.serve.policy import PolicyService

TOLD: list[Phrase] = []


@pytest.fixture(scope="module")
def service(policy):
    return PolicyService(policy, tell=TOLD.append)


@pytest.fixture(scope="module")
def base(service):
    with running(service.routes()) as server:
        yield base_of(server.url)


def completed(base, **body):
    return ask(f"{base}/completions", {"prompt": "review of", "max_tokens": 6, **body})["choices"]


def test_it_says_what_it_is(base, policy, service):
    (found,) = about(base)
    assert (found["id"], found["owned_by"], found["serves"]) == (
        str(policy),
        "wellshaped",
        "policy",
    )
    assert found["weights"] == service.version


def test_texts_and_tokens_several_samples_and_their_log_probabilities(base, service):
    ids = service.tokenizer("review of")["input_ids"]
    of_text = completed(base, prompt=["review of", "the"], n=2, seed=3, logprobs=1)
    of_ids = completed(base, prompt=[ids, service.tokenizer("the")["input_ids"]], n=2, seed=3)
    assert [one["token_ids"] for one in of_text] == [one["token_ids"] for one in of_ids]
    assert [one["index"] for one in of_text] == [0, 1, 2, 3]
    assert len({tuple(one["token_ids"]) for one in of_text}) > 1
    for one in of_text:
        assert len(one["logprobs"]["token_logprobs"]) == len(one["token_ids"])
        assert one["finish_reason"] == ("stop" if one["token_ids"][-1] == 0 else "length")
        assert len(one["logprobs"]["tokens"]) == len(one["token_ids"])
        said = one["token_ids"][:-1] if one["finish_reason"] == "stop" else one["token_ids"]
        assert one["text"] == service.words.decode(said)
    assert of_ids[0]["logprobs"] is None


def test_the_options_of_a_draw(base):
    greedy = completed(base, temperature=0, seed=1), completed(base, temperature=0, seed=2)
    assert greedy[0] == greedy[1]
    assert greedy[0] == completed(base, top_k=1, seed=5)
    assert completed(base, seed=7) == completed(base, seed=7)
    drawn = [completed(base)[0]["token_ids"] for _ in range(8)]
    assert len(set(map(tuple, drawn))) > 1, "without a seed each request is another"
    long = completed(base, n=64, seed=1, min_tokens=6)
    assert all(len(one["token_ids"]) == 6 for one in long)
    assert any(len(one["token_ids"]) < 6 for one in completed(base, n=64, seed=1))


def test_rows_of_an_update_are_written_to_the_last_bit(base, service):
    asked = [Asked((5, 6, 7), 0, 11), Asked((8,), 1, 4)]
    actor = Actor(service.actor.model)
    here = PolicyGenerator(actor.model, 0, Sampling(6, 0.7), 9, packs=actor.packs)(asked, update=5)
    own = {"update": 5, "rows": [11, 4], "end": 0, "weights": service.version}
    there = completed(
        base, prompt=[[5, 6, 7], [8]], temperature=0.7, seed=9, logprobs=0, wellshaped=own
    )
    for one, other in zip(here, there, strict=True):
        assert list(one.tokens) == other["token_ids"]
        assert list(one.logprobs) == other["logprobs"]["token_logprobs"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"prompt": []}, r"`prompt` cannot be \[\] here"),
        ({"prompt": ""}, r"`prompt` cannot be '' here"),
        ({"prompt": [[1], "the", [2.5]]}, r"`prompt` cannot be \[2.5\] here"),
        ({"prompt": [[1], [2, 99999]]}, r"prompt 1 has the token 99999, and the model knows"),
        ({"prompt": [-1]}, r"prompt 0 has the token -1"),
        ({"max_tokens": 0}, r"`max_tokens` cannot be 0"),
        ({"max_tokens": 64}, r"prompt 0 has \d tokens: with 64 more .* the 64 of the model"),
        ({"max_tokens": "6"}, r"`max_tokens` cannot be '6'"),
        ({"temperature": -0.5}, r"`temperature` cannot be -0.5"),
        ({"temperature": True}, r"`temperature` cannot be True"),
        ({"top_p": 0}, r"`top_p` cannot be 0"),
        ({"top_k": 1.5}, r"`top_k` cannot be 1.5"),
        ({"n": 0}, r"`n` cannot be 0"),
        ({"stream": True}, r"`stream` cannot be True"),
        ({"stop": ["."]}, r"`stop` cannot be \['.'\]"),
        ({"model": "other"}, r"`model` cannot be 'other'"),
        ({"wellshaped": 3}, r"`wellshaped` cannot be 3"),
        ({"wellshaped": {"rows": [1, 2]}}, r"`rows` cannot be \[1, 2\]"),
        ({"wellshaped": {"precision": "int4"}}, r"`precision` cannot be 'int4'"),
        ({"wellshaped": {"weights": "of another"}}, r"the server has other weights by now"),
    ],
)
def test_a_field_that_cannot_be_is_named(base, body, said):
    with pytest.raises(Refused, match=rf"WS998: {said}|WS998.*{said}") as caught:
        completed(base, **body)
    assert caught.value.status == (409 if "other weights" in said else 400)


def test_half_precision_is_that_of_training(base, service):
    found = completed(base, seed=3, logprobs=0, wellshaped={"precision": "bf16"})[0]
    with torch.autocast("cpu", dtype=torch.bfloat16):
        ids = tuple(service.tokenizer("review of")["input_ids"])
        here = PolicyGenerator(service.actor.model, 0, Sampling(6), 3, packs=service.actor.packs)
        (one,) = here([Asked(ids, 0, 0)], update=0)
    assert found["token_ids"] == list(one.tokens)
    assert found["logprobs"]["token_logprobs"] == list(one.logprobs)


def test_weights_are_taken_whole_or_refused(policy, tmp_path):
    service = PolicyService(policy, tell=TOLD.append)
    other = policy_folder(tmp_path / "other", seed=1)
    wide = policy_folder(tmp_path / "wide", width=32)
    with running(service.routes()) as server:
        base = base_of(server.url)
        before = completed(base, seed=1, n=8)
        with pytest.raises(Refused, match=r"WS998.*is \(96,\), and \(48,\) in the model"):
            put(f"{base}/weights", wide / "model.safetensors")
        with pytest.raises(Refused, match=r"WS998.*`lora` cannot be 'x'"):
            put(f"{base}/weights?lora=x", other / "model.safetensors")
        assert completed(base, seed=1, n=8) == before
        answer = put(f"{base}/weights", other / "model.safetensors")
        assert about(base)[0]["weights"] == answer["weights"]
        assert completed(base, seed=1, n=8) != before
        put(f"{base}/weights", policy / "model.safetensors")
        assert completed(base, seed=1, n=8) == before
        # Some on top of weights that are gone.
        save_file({"transformer.ln_f.bias": torch.zeros(16)}, tmp_path / "part")
        with pytest.raises(Refused, match=r"other weights") as caught:
            put(f"{base}/weights?on={answer['weights']}", tmp_path / "part")
        assert caught.value.status == 409
    assert Phrase("served_weights", {"count": answer["tensors"]}) in TOLD
    assert answer["tensors"] == len(load_file(other / "model.safetensors"))
