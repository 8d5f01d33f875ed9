"""Requests to a server that writes responses or gives rewards; what goes wrong is told."""

from __future__ import annotations

import http.client
import ipaddress
import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from wellshaped.records.phrase import UserError

OWNER: Final = "wellshaped"
# Seconds that a server may take to say what it is, which it does once it has loaded its model, and
# to do its work, which may have to wait for that of others.
SOON: Final = 120.0
LONG: Final = 1800.0
_SHOWN: Final = 300
_BLOCK: Final = 2**20


class Refused(UserError):
    """The server answered, and said no."""

    @property
    def status(self) -> int:
        """As HTTP counts them."""
        return int(self.message.facts["status"])


def base_of(url: str) -> str:
    """The address up to `/v1`, which may be left out where nothing else is behind the host."""
    try:
        parts = urlsplit(url)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number
        is_one = False
    if not is_one:
        raise UserError("WS998", "server_url", url=url)
    return url.rstrip("/") if parts.path.strip("/") else f"{url.rstrip('/')}/v1"


def ask(url: str, body: Any = None, *, timeout: float = LONG) -> Any:
    """What the server answers: to a question, or to a body that is posted."""
    data = None if body is None else json.dumps(body).encode()
    headers = {} if body is None else {"Content-Type": "application/json"}
    return _answer(urllib.request.Request(url, data, headers), timeout)


def put(url: str, file: Path, *, timeout: float = LONG) -> Any:
    """What the server answers to a file."""
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Length": str(file.stat().st_size),
    }
    with file.open("rb") as data:
        # Of a file, `http.client` would send 8 kB at a time.
        blocks = iter(lambda: data.read(_BLOCK), b"")
        return _answer(urllib.request.Request(url, blocks, headers, method="PUT"), timeout)


def about(base: str) -> list[dict[str, Any]]:
    """What a server says of its models; nothing where it does not know the question."""
    try:
        found = ask(f"{base}/models", timeout=SOON)
    except Refused as error:
        if error.status in (404, 405, 501):
            return []
        raise
    data = found.get("data") if isinstance(found, dict) else None
    if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
        raise UserError("WS998", "server_unreadable", url=base, error=type(found).__name__)
    return data


def is_ours(models: list[dict[str, Any]]) -> bool:
    """Whether a server is one of `wellshaped serve`."""
    return any(one.get("owned_by") == OWNER for one in models)


def require(base: str, models: list[dict[str, Any]], kind: str) -> str:
    """The name of what a server of ours serves, if it is of this kind."""
    serves = str(models[0].get("serves")) if is_ours(models) else "-"
    if serves != kind:
        raise UserError("WS998", "server_other_kind", url=base, serves=serves, needed=kind)
    return str(models[0].get("id"))


def _answer(request: urllib.request.Request, timeout: float) -> Any:
    url = request.full_url
    try:
        with _opener(url).open(request, timeout=timeout) as answer:
            data = answer.read()
    except urllib.error.HTTPError as error:
        raise Refused(
            "WS998", "server_refused", url=url, status=error.code, said=_said(error)
        ) from (error)
    except (OSError, http.client.HTTPException) as error:
        raise UserError("WS998", "server_silent", url=url, error=_reason(error)) from error
    try:
        return json.loads(data)
    except ValueError as error:
        raise UserError("WS998", "server_unreadable", url=url, error=str(error)) from error


def _opener(url: str) -> urllib.request.OpenerDirector:
    """What is on this machine is not asked for through a proxy."""
    host = urlsplit(url).hostname or ""
    try:
        is_here = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        is_here = False
    proxies = (urllib.request.ProxyHandler({}),) if is_here else ()
    return urllib.request.build_opener(*proxies)


def _reason(error: Exception) -> str:
    inner = getattr(error, "reason", None)
    cause = inner if isinstance(inner, Exception) else error
    return getattr(cause, "strerror", None) or str(cause) or type(cause).__name__


def _said(error: urllib.error.HTTPError) -> str:
    """The message in the answer, as OpenAI's servers write it, or its text."""
    try:
        text = error.read().decode(errors="replace")
    except (OSError, http.client.HTTPException):
        return str(error.reason)
    try:
        text = json.loads(text)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        text = text.strip() or str(error.reason)
    return str(text)[:_SHOWN]
