"""A run with other source text: the edited modules are read anew, all others as they are stored."""

import importlib.util
import os
import py_compile
import subprocess
import sys

import pytest

from wellshaped.observe.program import Program
from wellshaped.verify.rerun import Setting, rerun

pytestmark = pytest.mark.slow


@pytest.fixture
def program(tmp_path):
    (tmp_path / "one.py").write_text("VALUE = 'one'\n")
    (tmp_path / "two.py").write_text("VALUE = 'two'\n")
    (tmp_path / "main.py").write_text("import one, two\nprint(one.VALUE, two.VALUE)\n")
    return tmp_path


def test_an_edited_module_is_not_read_from_its_compiled_file(program):
    file = program / "one.py"
    py_compile.compile(str(file))
    ran = rerun(
        Program(str(program / "main.py")),
        Setting(sources={str(file): "VALUE = 'other'\n"}),
        seconds=60,
    )
    assert (ran.how, ran.output) == ("ended", "other two\n")
    assert file.read_text() == "VALUE = 'one'\n"


def test_other_modules_keep_their_compiled_files(program):
    """A compiled file that says something else than its source shows which of them was read."""
    file, other = program / "one.py", program / "two.py"
    stamped = importlib.util.cache_from_source(str(other))
    other.write_text("VALUE = 'old'\n")
    py_compile.compile(
        str(other), stamped, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    other.write_text("VALUE = 'two'\n")
    ran = rerun(
        Program(str(program / "main.py")),
        Setting(sources={str(file): "VALUE = 'other'\n"}),
        seconds=60,
    )
    assert ran.output == "other old\n"


def test_warming_up_leaves_no_trace(tmp_path):
    code = (
        "import os; from wellshaped.verify.rerun import warm; before = dict(os.environ)\n"
        "warm(); assert before == dict(os.environ)\n"
        "import sys; assert 'torch._dynamo' in sys.modules\n"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True)
    assert ran.returncode == 0, ran.stderr.decode()
    assert list(tmp_path.iterdir()) == []
