"""What is not installed is named with its extra; what is not asked for is not loaded."""

import subprocess
import sys

import pytest

from wellshaped.integrations.extras import MissingExtra, need

SERVERS = {"lsp": ("pygls", "lsp"), "mcp": ("mcp", "mcp")}


@pytest.mark.parametrize("command", SERVERS)
def test_a_server_without_its_extra(command):
    package, extra = SERVERS[command]
    code = f"""
import importlib.util, sys
own = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == {package!r} else own(name, *rest)
from wellshaped.cli import main
sys.exit(main([{command!r}]))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 2
    assert ran.stderr == (
        f"error[WS961]: `{package}` is not installed: `pip install 'wellshaped[{extra}]'`\n"
    )
    assert ran.stdout == ""


def test_from_python_it_is_an_import_error():
    with pytest.raises(ImportError, match=r"WS961: `no_such_package`.*wellshaped\[some\]"):
        need("no_such_package", extra="some")
    assert issubclass(MissingExtra, ValueError)


def test_nothing_is_imported_by_default():
    code = (
        "import sys, wellshaped.cli\n"
        "heavy = {'mcp', 'pygls', 'lsprotocol', 'transformers', 'lightning', 'pytest', 'torch'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ran.stdout == "[]\n", ran.stderr
