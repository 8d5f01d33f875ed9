"""A program run by us is told apart from one run by python in nothing it shows."""

import py_compile
import signal
import zipfile

import pytest

from tests.cli.side_by_side import same, write

ENDINGS = {
    "falls off the end": ("print('done')", 0),
    "exit()": ("import sys; sys.exit()", 0),
    "exit(3)": ("import sys; sys.exit(3)", 3),
    "exit(-1)": ("import sys; sys.exit(-1)", 255),
    "exit(True)": ("import sys; sys.exit(True)", 1),
    "exit(2 ** 70)": ("import sys; sys.exit(2 ** 70)", 255),
    "exit(object)": ("import sys; sys.exit(['a', 1])", 1),
    "exit with a message": ("print('out'); raise SystemExit('a message')", 1),
    "exit by subclass": (
        "class Stop(SystemExit):\n    code = 7\nraise Stop('ignored')",
        7,
    ),
    "os._exit": ("import os, sys; print('x'); sys.stdout.flush(); os._exit(5)", 5),
    "killed": ("import os; os.kill(os.getpid(), 15)", -signal.SIGTERM),
    "base exception": ("class Odd(BaseException): pass\nraise Odd('x')", 1),
    "interrupted": (
        "import atexit; atexit.register(print, 'bye')\ntry:\n    raise KeyboardInterrupt\n"
        "finally:\n    print('finally')",
        -signal.SIGINT,
    ),
    "interrupt by subclass": ("class Stop(KeyboardInterrupt): pass\nraise Stop", 1),
    "signalled": ("import os; os.kill(os.getpid(), 2)\ninput()", -signal.SIGINT),
    "interrupt and own hook": (
        "import sys\nsys.excepthook = lambda *_: sys.exit(9)\nraise KeyboardInterrupt",
        9,
    ),
    "interrupt and failing hook": (
        "import sys\nsys.excepthook = lambda *_: [].pop()\nraise KeyboardInterrupt",
        -signal.SIGINT,
    ),
    "no main": ("import sys\nmain = sys.modules.pop('__main__')\nprint(main.__name__)", 0),
    "recursion": ("def down(n):\n    return down(n + 1)\ndown(0)", 1),
    "unclosed": ("x = (1,\n\nprint(", 1),
    "syntax": ("def f():\n    x = = 1\n", 1),
    "indentation": ("if True:\nprint()\n", 1),
    "syntax in a neighbour": ("import neighbour", 1),
    "error in a neighbour": ("import neighbour2", 1),
    "cause": (
        "def f():\n    try:\n        {}['k']\n    except KeyError as e:\n"
        "        raise ValueError('no k') from e\nf()",
        1,
    ),
    "context": ("try:\n    1 / 0\nexcept ZeroDivisionError:\n    [].pop()", 1),
    "notes": ("e = ValueError('x')\ne.add_note('look\\nthere')\nraise e", 1),
    "group": (
        "def one():\n    raise ValueError(1)\n"
        "def both():\n    found = []\n    try:\n        one()\n"
        "    except ValueError as e:\n        found.append(e)\n"
        "    raise ExceptionGroup('two', [*found, KeyError('k')])\nboth()",
        1,
    ),
    "carets over two lines": ("value = {'a': None}\nprint(value['a']\n      ['b'])", 1),
    "own hook": (
        "import sys, traceback\n"
        "def hook(kind, value, tb):\n"
        "    print('hook', kind, value, [f.name for f in traceback.extract_tb(tb)])\n"
        "    print(sys.exc_info(), sys.last_value is value, sys.last_traceback is tb)\n"
        "sys.excepthook = hook\n1 / 0",
        1,
    ),
    "failing hook": ("import sys\nsys.excepthook = lambda *_: [].pop()\n1 / 0", 1),
    "exiting hook": ("import sys\nsys.excepthook = lambda *_: sys.exit(9)\n1 / 0", 9),
    "no stderr": ("import sys\nsys.stderr = None\nprint('x')\nsys.exit('lost')", 1),
    "stdout closed": ("import sys\nprint('x')\nsys.stdout.close()\n1 / 0", 1),
    "from exec": ("exec(compile('1 / 0', '<made>', 'exec'))", 1),
    "exit handlers": (
        "import atexit\n"
        "atexit.register(print, 'first in, last out')\n"
        "atexit.register(lambda: print(sorted(globals())))\n"
        "class Last:\n    def __del__(self): print('deleted', print is not None)\n"
        "kept = Last()\n1 / 0",
        1,
    ),
    "threads": (
        "import threading, time\n"
        "def work():\n    time.sleep(0.1)\n    print('worked', flush=True)\n    1 / 0\n"
        "threading.Thread(target=work, name='worker').start()\nprint('main ends', flush=True)",
        0,
    ),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_ends_as_under_python(tmp_path, name):
    source, status = ENDINGS[name]
    write(
        tmp_path,
        {"prog.py": source, "neighbour.py": "x = = 1", "neighbour2.py": "def f(): 1 / 0\nf()"},
    )
    result = same(tmp_path, "prog.py")
    assert result.status == (status if status < 0 else status % 256)


def test_writes_in_the_same_order(tmp_path):
    write(
        tmp_path,
        {
            "prog.py": "import sys\nprint('out')\nprint('err', file=sys.stderr)\n"
            "print(sys.stdin.read().upper())\n1 / 0"
        },
    )
    script = same(tmp_path, "prog.py", merged=True, stdin="given")
    module = same(tmp_path, "-m", "prog", merged=True, stdin="given")
    assert script.stdout.index("GIVEN") < script.stdout.index("Traceback")
    assert module.stdout.index("GIVEN") > module.stdout.index("Traceback")


STATE = """
import __main__, dataclasses, os, pickle, sys, typing, warnings
print([*globals()])
print(__name__, __doc__, __package__, __spec__ and __spec__.name, __builtins__)
print(__file__, __cached__, type(__loader__), getattr(__loader__, "path", None), __annotations__)
print(sys.argv, sys.path, os.getcwd(), sys.flags, sys.warnoptions, sys._xoptions)
print(vars(__main__) is globals(), sys.exc_info(), warnings.filters, sys.gettrace())
print(sorted(os.environ))

def noted(x: 1 + 1): ...
print(noted.__annotations__)  # strings, if a future import had leaked into the program

@dataclasses.dataclass
class Point:
    x: int
    y: typing.ClassVar[int] = 2

print(pickle.loads(pickle.dumps(Point(1))), typing.get_type_hints(Point), Point.__module__)
try:
    print(sys._getframe(30))
except ValueError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("command", "flags"),
    [
        (("prog.py", "--lr", "3e-4", "-m", "--help", "-x"), ()),
        (("./sub/../prog.py", ""), ("-W", "error::FutureWarning", "-X", "utf8", "-O")),
        (("sub/link.py", "a b"), ("-P",)),
        (("sub/link.py",), ()),
        (("-m", "prog", "-m", "-h"), ("-I",)),
        (("-mprog", "-m"), ()),
        (("-m", "pkg", "x"), ()),
        (("-m", "pkg.mod", "x"), ("-P",)),
        (("folder", "x"), ()),
        (("./folder/",), ("-P",)),
        (("app.zip", "x"), ()),
        (("prog.pyc", "x"), ()),
    ],
    ids=lambda value: " ".join(value),
)
def test_sees_what_python_shows_it(tmp_path, command, flags):
    inner = {
        "pkg/__init__.py": "import sys; print('package', sys.argv)",
        "pkg/near.py": "word = 'near'",
    }
    relative = f"{STATE}\nfrom .near import word\nprint(word)"
    write(tmp_path, {"prog.py": STATE, "folder/__main__.py": STATE, "sub/x": "", **inner})
    write(tmp_path, {"pkg/mod.py": relative, "pkg/__main__.py": relative})
    (tmp_path / "sub" / "link.py").symlink_to(tmp_path / "prog.py")
    py_compile.compile(str(tmp_path / "prog.py"), cfile=str(tmp_path / "prog.pyc"))
    with zipfile.ZipFile(tmp_path / "app.zip", "w") as archive:
        archive.writestr("__main__.py", STATE)
    result = same(tmp_path, *command, flags=flags)
    assert "Point(x=1)" in result.stdout or {"-P", "-I"} & {*flags}


@pytest.mark.parametrize(
    "command",
    [
        "-m fails",
        "-m pkg.fails",
        "-m nothing",
        "-m pkg.nothing",
        "-m bare",
        "bare",
        "-m syntax",
    ],
)
def test_fails_as_under_python(tmp_path, command):
    deep = "def down(n):\n    return down(n + 1)\ndown(0)"
    write(tmp_path, {"fails.py": deep, "pkg/__init__.py": "", "pkg/fails.py": "1 / 0"})
    write(tmp_path, {"bare/x": "", "syntax.py": "x = = 1"})
    assert same(tmp_path, *command.split()).status == 1


WARNINGS = """
import warnings
def far(): warnings.warn("far", stacklevel=3)
def near(): warnings.warn("near", stacklevel=2)
for _ in range(2):
    near(); far()
    warnings.warn("here")
    warnings.warn("old", DeprecationWarning)
    warnings.warn("older", PendingDeprecationWarning)
    warnings.warn("farther", stacklevel=7)
print(sorted(map(str, __warningregistry__)))
assert (1, "always true")
"\\d"
"""


@pytest.mark.parametrize("flags", [(), ("-Walways",), ("-Werror",), ("-Xdev",)], ids=" ".join)
def test_warns_as_under_python(tmp_path, flags):
    write(tmp_path, {"prog.py": WARNINGS})
    result = same(tmp_path, "prog.py", flags=flags)
    assert same(tmp_path, "-m", "prog", flags=flags).status == result.status
    assert ("sys:1: UserWarning: far" in result.stderr) == (flags != ("-Werror",))


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("# -*- coding: latin-1 -*-\nprint(ascii('é'))\n'é' + 1".encode("latin-1"), 1),
        ("\ufeffprint(ascii('é'))\r\nnaïve = '語'\r\nnaïve + 1".encode(), 1),
        ("print('ok')\n# é".encode("latin-1"), 1),
        ("# coding: utf-8\nx = 'é'".encode("latin-1"), 1),
        ("x = 1\n# coding: latin-1\n'é'".encode("latin-1"), 1),
        (b"#!/bin/python\r\n#coding=ascii\r\nprint('a')\rprint('b')\r\n", 0),
    ],
    ids=["latin-1", "bom", "undeclared", "wrongly declared", "too late", "line ends"],
)
def test_reads_source_as_python(tmp_path, source, status):
    write(tmp_path, {"prog.py": source})
    assert same(tmp_path, "prog.py").status == status


@pytest.mark.parametrize("name", ["argparse", "random", "inspect", "tokenize", "dataclasses"])
def test_script_named_like_a_standard_module(tmp_path, name):
    source = f"print(__name__)\nimport {name}\nprint({name}.__file__)\n{name}.nothing"
    write(tmp_path, {f"{name}.py": source})
    assert same(tmp_path, f"{name}.py").stdout.startswith(f"__main__\n{name}\n")


WORKERS = """
import multiprocessing, sys
from dataclasses import dataclass

@dataclass
class Job:
    number: int
    place: str = ""

def work(job):
    return Job(job.number ** 2, __name__)

if __name__ == "__main__":
    for way in ("fork", "spawn"):
        with multiprocessing.get_context(way).Pool(2) as pool:
            print(way, pool.map(work, [Job(1), Job(2), Job(3)]), flush=True)
    work(None)
"""


@pytest.mark.slow
@pytest.mark.parametrize("command", [("prog.py",), ("-m", "prog")], ids=" ".join)
def test_worker_processes_find_the_program(tmp_path, command):
    write(tmp_path, {"prog.py": WORKERS})
    result = same(tmp_path, *command)
    assert "Job(number=9, place='__mp_main__')" in result.stdout
    assert result.status == 1
