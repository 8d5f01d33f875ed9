"""`wellshaped mcp`: the same for coding agents, as tools of the Model Context Protocol."""

from __future__ import annotations

import argparse

from wellshaped.cli.usage import BadUsage, Parser, add_language
from wellshaped.integrations.extras import MissingExtra, need

HELP = "serve check, fix and explain to coding agents (Model Context Protocol, stdio)"


def declare(parser: Parser) -> None:
    """Name the arguments of this command."""
    add_language(parser)


def act(arguments: argparse.Namespace) -> int:
    """Serve until the client goes: 0, or 2 where the extra is missing."""
    try:
        need("mcp", extra="mcp")
    except MissingExtra as error:
        raise BadUsage.of(error) from error
    from wellshaped.integrations.mcp_server import serve

    serve(arguments.lang)
    return 0
