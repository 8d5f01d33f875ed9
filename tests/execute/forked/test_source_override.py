"""A run with other source text: the edited modules are read anew."""

import py_compile

import pytest

from wellshaped.execute.program import Program
from wellshaped.observe.result import Setting
from wellshaped.observe.run import observe_run
from wellshaped.observe.trace.detect import Detectors

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
    ran = observe_run(
        Program(str(program / "main.py")),
        Setting(sources={str(file): "VALUE = 'other'\n"}),
        seconds=60,
        detectors=Detectors(),
    )
    assert (ran.ended, ran.output) == ("ended", "other two\n")
    assert file.read_text() == "VALUE = 'one'\n"
