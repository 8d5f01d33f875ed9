"""A server on this machine that completes prompts stands in for the policy's own generation."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.floats import near
from tests.train.rl.models import END, policy, prompts
from wellshaped.records.phrase import UserError
from wellshaped.train.rl.generation.endpoint import EndpointGenerator
from wellshaped.train.rl.generation.policy_generator import GenerationRequest
from wellshaped.train.rl.policy import Actor
from wellshaped.train.rl.responses import response_batch
from wellshaped.train.rollout_algorithm import Sampling


class Letters:
    """A tokenizer of letters: `a` is 2, `b` is 3."""

    eos_token_id = END

    def __call__(self, text, add_special_tokens):
        assert not add_special_tokens
        return {"input_ids": [ord(letter) - 95 for letter in text]}


@pytest.fixture
def server():
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, body))
            data = json.dumps({"choices": self.server.choices(body)}).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    found = HTTPServer(("127.0.0.1", 0), Handler)
    found.asked = asked
    thread = threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield found
    found.shutdown()
    thread.join()
    found.server_close()


def generator(server, **options):
    return EndpointGenerator(
        f"http://127.0.0.1:{server.server_port}/v1",
        "tiny",
        Actor(policy()),
        Letters(),
        Sampling(response_length=4, temperature=0.7),
        **options,
    )


def rows():
    return [GenerationRequest(prompt, group, group) for group, prompt in enumerate(prompts(3))]


def test_completions_become_responses_with_the_policy_s_own_log_probabilities(server):
    server.choices = lambda body: [
        {"index": 2, "text": "abcdefg", "finish_reason": "length"},
        {"index": 0, "text": "ab", "finish_reason": "stop"},
        {"index": 1, "text": "?", "token_ids": [5, END], "finish_reason": "stop"},
    ]
    refreshed = []
    generate = generator(server, refresh=refreshed.append)
    found = generate(rows(), update=7)
    assert [one.tokens for one in found] == [(2, 3, END), (5, END), (2, 3, 4, 5)]
    assert [one.ended for one in found] == [True, True, False]
    assert refreshed == [7]
    logprobs_BR = generate.actor(response_batch(found), temperature=0.7).logprobs_BR
    for one, row_R in zip(found, logprobs_BR, strict=True):
        assert one.logprobs == near(row_R[: len(one.tokens)].tolist())
    path, body = server.asked[0]
    assert path == "/v1/completions"
    assert body["prompt"] == [list(prompt) for prompt in prompts(3)]
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("tiny", 4, 0.7)
    assert body["return_token_ids"] is True


def test_a_completion_too_few_is_told(server):
    server.choices = lambda body: [{"index": 0, "text": "a", "finish_reason": "stop"}]
    with pytest.raises(UserError, match=r"WS998.*1 completions for 3 prompts"):
        generator(server)(rows(), update=0)


def test_an_answer_without_choices_is_told(server):
    server.choices = lambda body: 3
    with pytest.raises(UserError, match=r"WS998.*cannot be read: TypeError"):
        generator(server)(rows(), update=0)


def test_a_server_that_is_not_there_is_told(server):
    server.choices = lambda body: 1 / 0
    nowhere = generator(server)
    server.shutdown()
    server.server_close()
    with pytest.raises(UserError, match=r"WS998.*does not answer"):
        nowhere(rows(), update=0)
