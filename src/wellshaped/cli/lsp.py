"""`wellshaped lsp`: diagnostics and quick fixes for editors, by the Language Server Protocol."""

from __future__ import annotations

import argparse

from wellshaped.cli.usage import BadUsage, Parser, add_language
from wellshaped.integrations.extras import MissingExtra, need

HELP = "serve diagnostics and quick fixes to editors (Language Server Protocol, stdio)"


def declare(parser: Parser) -> None:
    """Name the arguments of this command."""
    add_language(parser)


def act(arguments: argparse.Namespace) -> int:
    """Serve until the editor goes: 0, or 2 where the extra is missing."""
    try:
        need("pygls", extra="lsp")
    except MissingExtra as error:
        raise BadUsage.of(error) from error
    from wellshaped.integrations.language_server import serve

    serve(arguments.lang)
    return 0
