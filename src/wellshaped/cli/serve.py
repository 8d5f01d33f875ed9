"""`wellshaped serve KIND`: a policy or a reward for training that runs in other processes."""

from __future__ import annotations

import argparse
import importlib
from typing import Any

from wellshaped.cli.usage import BadUsage, Parser, add_language
from wellshaped.integrations.extras import MissingExtra, need
from wellshaped.records.phrase import Phrase, UserError

HELP = "serve a policy or a reward to training in other processes (HTTP)"
_NEEDED = ("accelerate", "safetensors")
_HERE = ("127.0.0.1", "localhost", "::1")
# What it says of itself, where its service is, the port where nothing else is asked for.
_KINDS = {
    "policy": (
        "write responses, as OpenAI's /v1/completions, and take new weights",
        "folder or name of a causal model",
        ("wellshaped.train.serve.policy", "PolicyService"),
        8000,
    ),
    "reward": (
        "give texts their rewards",
        "folder of a reward model, or file.py:function",
        ("wellshaped.train.serve.reward", "RewardService"),
        8001,
    ),
}


def declare(parser: Parser) -> None:
    """Name the kinds and their arguments."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    for name, (help_text, model, _, port) in _KINDS.items():
        kind = kinds.add_parser(name, help=help_text, allow_abbrev=False)
        kind.add_argument("model", metavar="MODEL", help=model)
        kind.add_argument(
            "--host",
            metavar="H",
            default=_HERE[0],
            help=f"address to listen at ({_HERE[0]}: only this machine; there is no password)",
        )
        kind.add_argument(
            "--port", metavar="N", type=int, default=port, help=f"0 for a free one ({port})"
        )
        kind.add_argument("--threads", metavar="N", type=int, default=0, help="of torch")
        add_language(kind)


def act(arguments: argparse.Namespace) -> int:
    """Serve until an interrupt: 0, 2 where nothing can be served, 130 after a second one."""
    try:
        for package in _NEEDED:
            need(package, extra="train")
        _serve(arguments)
    except (UserError, MissingExtra) as error:
        raise BadUsage.of(error) from error
    return 0


def _serve(arguments: argparse.Namespace) -> None:
    web = importlib.import_module("wellshaped.train.serve.web")
    tell = _narrator(arguments.lang)
    # What cannot listen need not load a model.
    with web.Server(arguments.host, arguments.port) as server:
        if arguments.threads:
            importlib.import_module("torch").set_num_threads(arguments.threads)
        if arguments.host not in _HERE:
            tell(Phrase("serve_open", {"host": arguments.host}))
        module, name = _KINDS[arguments.kind][2]
        service = getattr(importlib.import_module(module), name)(arguments.model, tell=tell)
        facts = {"model": arguments.model, "url": server.url}
        tell(Phrase(f"serves_{arguments.kind}", facts))
        server.serve(service.routes(), tell=tell)
        tell(Phrase("serve_ended", {}))


def _narrator(lang: str) -> Any:
    words = importlib.import_module("wellshaped.locale.catalogue").words(lang)
    return importlib.import_module("wellshaped.report.narrator").Narrator(words=words)
