"""Requests to a server that writes responses; what goes wrong is reported with its address."""

from __future__ import annotations

import http.client
import ipaddress
import json
import urllib.error
import urllib.request
from typing import Any, Final
from urllib.parse import urlsplit

from wellshaped.records.phrase import UserError

# Seconds that a server may take to list its models, which it does once it has loaded one, and to
# complete prompts, which may have to wait for those of others.
LIST_TIMEOUT: Final = 120.0
POST_TIMEOUT: Final = 1800.0
_SHOWN: Final = 300


class RequestRefused(UserError):
    """The server answered with an error."""

    @property
    def status(self) -> int:
        """The HTTP status."""
        return int(self.message.facts["status"])


def base_url(url: str) -> str:
    """The address up to `/v1`, which may be left out where nothing else is behind the host."""
    try:
        parts = urlsplit(url)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number
        is_one = False
    if not is_one:
        raise UserError("WS998", "server_url", url=url)
    return url.rstrip("/") if parts.path.strip("/") else f"{url.rstrip('/')}/v1"


def post(url: str, body: Any) -> Any:
    """The answer to a body of JSON."""
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    return _answer(request, POST_TIMEOUT)


def list_models(base: str) -> list[dict[str, Any]]:
    """The models of a server; none where it does not know the question."""
    try:
        found = _answer(urllib.request.Request(f"{base}/models"), LIST_TIMEOUT)
    except RequestRefused as error:
        if error.status in (404, 405, 501):
            return []
        raise
    data = found.get("data") if isinstance(found, dict) else None
    if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
        raise UserError("WS998", "server_unreadable", url=base, error=type(found).__name__)
    return data


def _answer(request: urllib.request.Request, timeout: float) -> Any:
    url = request.full_url
    try:
        with _opener(url).open(request, timeout=timeout) as answer:
            data = answer.read()
    except urllib.error.HTTPError as error:
        facts = {"url": url, "status": error.code, "said": _error_message(error)}
        raise RequestRefused("WS998", "server_refused", **facts) from error
    except (OSError, http.client.HTTPException) as error:
        raise UserError("WS998", "server_silent", url=url, error=_reason(error)) from error
    try:
        return json.loads(data)
    except ValueError as error:
        raise UserError("WS998", "server_unreadable", url=url, error=str(error)) from error


def _opener(url: str) -> urllib.request.OpenerDirector:
    """A server on this machine is not asked through a proxy."""
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


def _error_message(error: urllib.error.HTTPError) -> str:
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
