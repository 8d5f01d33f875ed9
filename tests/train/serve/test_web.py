"""Whatever is sent, the server says what is wrong with it and goes on."""

import http.client
import json
import socket
import threading

import pytest

from tests.train.serve.servers import running
from wellshaped.records.phrase import Phrase, UserError
from wellshaped.train.serve.asking import Refused, about, ask, base_of, put
from wellshaped.train.serve.web import Route, Server

BUSY = threading.Event()


def echo(body, query):
    return {"body": body, **query}


def measured(file, query):
    return {"bytes": file.stat().st_size, **query}


def divided(body, query):
    return {"found": 1 / body["by"]}


def told(body, query):
    raise UserError("WS995", "reward_not_callable", name="mine")


ROUTES = {
    ("GET", "/v1/models"): Route(lambda body, query: {"data": [{"id": "a"}]}),
    ("POST", "/v1/echo"): Route(echo, "json", 1000),
    ("POST", "/v1/divided"): Route(divided, "json"),
    ("POST", "/v1/told"): Route(told, "json"),
    ("PUT", "/v1/file"): Route(measured, "file", 3_000_000),
}


@pytest.fixture(scope="module")
def server():
    with running(ROUTES) as found:
        yield found


@pytest.fixture(scope="module")
def base(server):
    return base_of(server.url)


def test_bodies_and_queries_reach_their_route(base, tmp_path):
    assert ask(f"{base}/echo?a=1", {"b": [2]}) == {"body": {"b": [2]}, "a": "1"}
    assert about(base) == [{"id": "a"}]
    file = tmp_path / "file"
    file.write_bytes(b"x" * 2_500_000)
    assert put(f"{base}/file", file) == {"bytes": 2_500_000}


@pytest.mark.parametrize(
    ("path", "body", "status", "said"),
    [
        ("nowhere", {}, 404, r"WS998: there is no `POST /v1/nowhere`; known are GET /v1/models"),
        ("echo", {"long": "x" * 2000}, 413, r"WS998: the body has 2012 bytes, and 1000 are"),
        ("echo", [1], 400, r"WS998: the body is not an object of JSON: list"),
        ("divided", {"by": 0}, 500, r"WS998: the request failed: ZeroDivisionError"),
        ("told", {}, 422, r"WS995: the reward `mine` is not a function"),
    ],
)
def test_what_cannot_be_answered_is_refused(base, path, body, status, said):
    with pytest.raises(Refused, match=said) as caught:
        ask(f"{base}/{path}", body)
    assert caught.value.status == status
    assert caught.value.code == "WS998"


def test_a_large_file_is_refused_and_its_sender_hears_of_it(base, tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"x" * 3_000_001)
    with pytest.raises(Refused, match=r"3000001 bytes"):
        put(f"{base}/file", file)


def raw(server, text):
    with socket.create_connection(("127.0.0.1", server.server_port)) as line:
        line.sendall(text)
        line.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: line.recv(4096), b"")).decode()


def test_broken_requests_do_not_end_the_server(server, base):
    assert " 400 " in raw(server, b"POST /v1/echo HTTP/1.1\r\nContent-Length: 3\r\n\r\n{{{")
    chunked = b"POST /v1/echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    assert " 411 " in raw(server, chunked)
    assert " 411 " in raw(server, b"POST /v1/echo HTTP/1.1\r\nContent-Length: -1\r\n\r\n")
    # Who goes away in the middle of a body is not answered.
    assert raw(server, b"POST /v1/echo HTTP/1.1\r\nContent-Length: 30\r\n\r\n{") == ""
    assert ask(f"{base}/echo", {}) == {"body": {}}


def test_what_was_refused_is_told_where_the_server_runs():
    told = []
    with running(ROUTES, tell=told.append) as server, pytest.raises(Refused):
        ask(f"{base_of(server.url)}/told", {})
    assert told == [Phrase("served_not", {"error": "WS995: the reward `mine` is not a function"})]


def test_one_request_at_a_time():
    inside = []

    def count(body, query):
        inside.append(1)
        assert BUSY.wait(0.02) is False
        return {"inside": len(inside), "left": inside.pop()}

    with running({("POST", "/v1/count"): Route(count, "json")}) as server:
        answers = []

        def work():
            answers.append(ask(f"{base_of(server.url)}/count", {})["inside"])

        threads = [threading.Thread(target=work) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert answers == [1, 1, 1, 1]


def test_a_place_that_is_taken_is_told(server):
    with pytest.raises(
        UserError, match=r"WS998: cannot listen at 127.0.0.1, port \d+: Address already"
    ):
        Server("127.0.0.1", server.server_port)
    with pytest.raises(UserError, match=r"WS998: cannot listen at 127.0.0.1, port 99999"):
        Server("127.0.0.1", 99999)


def test_addresses():
    assert base_of("http://localhost:8000") == "http://localhost:8000/v1"
    assert base_of("http://localhost:8000/") == "http://localhost:8000/v1"
    assert base_of("https://host/api/v1/") == "https://host/api/v1"
    for wrong in ("localhost:8000", "ftp://host", "http://", "http://host:port", "reward"):
        with pytest.raises(UserError, match=r"WS998.*is no address of a server"):
            base_of(wrong)


def test_a_server_that_is_not_there_is_told(server):
    with Server("127.0.0.1", 0) as other:
        nowhere = base_of(other.url)
    with pytest.raises(
        UserError, match=r"WS998: the server at \S+ does not answer: Connection refused"
    ):
        about(nowhere)


def test_an_answer_that_is_no_json_or_ends_early_is_told():
    for answer, said in (
        (b"HTTP/1.0 200 OK\r\n\r\n<html>", "cannot be read"),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\n{", "does not answer"),
        (b"", "does not answer"),
    ):
        with socket.create_server(("127.0.0.1", 0)) as place:
            thread = threading.Thread(target=_answer_once, args=(place, answer))
            thread.start()
            with pytest.raises(UserError, match=rf"WS998.*{said}"):
                ask(f"http://127.0.0.1:{place.getsockname()[1]}/v1/models")
            thread.join()


def _answer_once(place, answer):
    line, _ = place.accept()
    with line:
        line.recv(4096)
        line.sendall(answer)


def test_a_proxy_is_not_asked_for_what_is_on_this_machine(base, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert about(base) == [{"id": "a"}]


def test_every_answer_is_json(server):
    line = http.client.HTTPConnection("127.0.0.1", server.server_port)
    line.request("GET", "/")
    answer = line.getresponse()
    assert answer.headers["Content-Type"] == "application/json"
    assert json.loads(answer.read())["error"]["type"] == "WS998"
    line.close()
