"""Whatever a server does, its client reports it with the address."""

import socket
import threading

import pytest

from tests.train.rl.servers import running
from wellshaped.records.phrase import UserError
from wellshaped.train.rl.generation.http_client import RequestRefused, base_url, list_models, post

MODELS = {("GET", "/v1/models"): lambda body: {"data": [{"id": "a"}]}}


def test_addresses():
    assert base_url("http://localhost:8000") == "http://localhost:8000/v1"
    assert base_url("http://localhost:8000/") == "http://localhost:8000/v1"
    assert base_url("https://host/api/v1/") == "https://host/api/v1"
    for wrong in ("localhost:8000", "ftp://host", "http://", "http://host:port", "reward"):
        with pytest.raises(UserError, match=r"WS998.*is no address of a server"):
            base_url(wrong)


def test_bodies_are_posted_and_errors_have_their_message():
    routes = {
        ("POST", "/v1/echo"): lambda body: {"body": body},
        ("POST", "/v1/divided"): lambda body: {"found": 1 / body["by"]},
    }
    with running(routes) as url:
        assert post(f"{url}/v1/echo", {"b": [2]}) == {"body": {"b": [2]}}
        with pytest.raises(RequestRefused, match=r"WS998.*status 500: ZeroDivisionError") as found:
            post(f"{url}/v1/divided", {"by": 0})
    assert found.value.status == 500


def test_a_server_that_is_not_there_is_reported():
    with running({}) as url:
        pass
    with pytest.raises(
        UserError, match=r"WS998: the server at \S+ does not answer: Connection refused"
    ):
        list_models(base_url(url))


def test_an_answer_that_is_no_json_or_ends_early_is_reported():
    for answer, said in (
        (b"HTTP/1.0 200 OK\r\n\r\n<html>", "cannot be read"),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\n{", "does not answer"),
        (b"HTTP/1.0 200 OK\r\n\r\n[3]", "cannot be read"),
        (b"", "does not answer"),
    ):
        with socket.create_server(("127.0.0.1", 0)) as place:
            thread = threading.Thread(target=_answer_once, args=(place, answer))
            thread.start()
            with pytest.raises(UserError, match=rf"WS998.*{said}"):
                list_models(f"http://127.0.0.1:{place.getsockname()[1]}/v1")
            thread.join()


def _answer_once(place, answer):
    line, _ = place.accept()
    with line:
        line.recv(4096)
        line.sendall(answer)


def test_a_proxy_is_not_asked_for_what_is_on_this_machine(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with running(MODELS) as url:
        assert list_models(base_url(url)) == [{"id": "a"}]
