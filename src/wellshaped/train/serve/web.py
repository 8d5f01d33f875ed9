"""A small HTTP server: a table of routes, bodies of bounded size, one request at a time.

Several may be read and wait; the model answers one of them after the other.
"""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import socketserver
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import FrameType
from typing import Any, Final, Literal
from urllib.parse import parse_qsl, urlsplit

from wellshaped.records.phrase import Phrase, UserError
from wellshaped.train.telling import Tell, nothing

# The most bytes of a JSON body: some million tokens.
MOST_JSON: Final = 64 * 2**20
# What is refused is still read, up to here: who is sending does not hear before that is over.
_MOST_IGNORED: Final = 2**30
_BLOCK: Final = 2**20
# What is no fault in the fields of a request has a status of its own.
_STATUS: Final = {
    "request_path": 404,
    "weights_other": 409,
    "request_length": 411,
    "request_too_large": 413,
    "request_failed": 500,
}


@dataclass(frozen=True)
class Route:
    """What answers a request: it gets the body (JSON, a file, or nothing) and the query."""

    answer: Callable[[Any, Mapping[str, str]], dict[str, Any]]
    takes: Literal["nothing", "json", "file"] = "nothing"
    most: int = MOST_JSON


Routes = Mapping[tuple[str, str], Route]


class Server(ThreadingHTTPServer):
    """Listens from the start; `serve` answers, once there is something to answer with."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, host: str, port: int) -> None:
        self.routes: Routes = {}
        self.tell: Tell = nothing
        self.busy = threading.Lock()
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            super().__init__((host, port), _Handler)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UserError("WS998", "cannot_listen", host=host, port=port, error=reason) from error

    def server_bind(self) -> None:
        """As the parent does, without asking the network for the name of this machine."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    @property
    def url(self) -> str:
        """Where it listens."""
        host = str(self.server_name)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.server_port}"

    def serve(self, routes: Routes, *, tell: Tell) -> None:
        """Answer until an interrupt; what is under way then is finished."""
        self.routes, self.tell = routes, tell
        with _interrupted_by_both():
            try:
                self.serve_forever(poll_interval=0.1)
            except KeyboardInterrupt:
                pass
            finally:
                self.server_close()
            self.busy.acquire()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who asked is gone: nobody is left to be told."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


@contextlib.contextmanager
def _interrupted_by_both() -> Iterator[None]:
    """While inside, SIGTERM ends a server as SIGINT does; only the first thread gets either."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Server
    server_version = "wellshaped"
    timeout = 60  # seconds in which nothing comes

    def do_GET(self) -> None:
        """Answer, or say why not."""
        self._unread = 0
        try:
            route, query = self._route()
            with self._body(route) as body, self.server.busy:
                self._say(200, route.answer(body, query))
        except OSError as error:
            if isinstance(error, ConnectionError | TimeoutError):
                raise
            self._refuse(_failed(error))
        except UserError as error:
            self._refuse(error)
        except Exception as error:  # whatever a model does, the server stays
            self._refuse(_failed(error))

    do_POST = do_PUT = do_DELETE = do_GET

    def _route(self) -> tuple[Route, dict[str, str]]:
        self._unread = self._length()
        parts = urlsplit(self.path)
        path = parts.path.rstrip("/") or "/"
        found = self.server.routes.get((self.command, path))
        if found is None:
            known = ", ".join(" ".join(each) for each in self.server.routes)
            raise UserError("WS998", "request_path", method=self.command, path=path, known=known)
        return found, dict(parse_qsl(parts.query))

    def _length(self) -> int:
        given = self.headers.get("Content-Length", "0")
        if not given.isdecimal() or "Transfer-Encoding" in self.headers:
            raise UserError("WS998", "request_length")
        return int(given)

    @contextlib.contextmanager
    def _body(self, route: Route) -> Iterator[Any]:
        if self._unread > route.most:
            raise UserError("WS998", "request_too_large", got=self._unread, most=route.most)
        if route.takes == "file":
            with tempfile.TemporaryDirectory(prefix="wellshaped-") as folder:
                path = Path(folder) / "body"
                with path.open("wb") as file:
                    for block in self._blocks():
                        file.write(block)
                yield path
        elif route.takes == "json":
            yield _object(b"".join(self._blocks()))
        else:
            yield None

    def _blocks(self) -> Iterator[bytes]:
        while self._unread:
            block = self.rfile.read(min(_BLOCK, self._unread))
            if not block:
                raise ConnectionResetError
            self._unread -= len(block)
            yield block

    def _refuse(self, error: UserError) -> None:
        said = {"message": str(error), "type": error.code}
        self.server.tell(Phrase("served_not", {"error": str(error)}))
        if self._unread <= _MOST_IGNORED:
            for _ in self._blocks():
                pass
        otherwise = 400 if error.code == "WS998" else 422
        self._say(_STATUS.get(error.message.name, otherwise), {"error": said})

    def _say(self, status: int, found: dict[str, Any]) -> None:
        data = json.dumps(found).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *_: Any) -> None:
        """What happened is told by whoever did it."""


def _object(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except ValueError as error:
        raise UserError("WS998", "request_json", error=str(error)) from error
    if not isinstance(found, dict):
        raise UserError("WS998", "request_json", error=type(found).__name__)
    return found


def _failed(error: Exception) -> UserError:
    return UserError("WS998", "request_failed", error=f"{type(error).__name__}: {error}")
