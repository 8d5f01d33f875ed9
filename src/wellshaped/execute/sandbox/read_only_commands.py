"""Commands that only read: a program in a dry run may run them, everything else is refused.

A command is judged by its words. A shell line is judged where it is made of plain words, pipes
and `&&`: variables, substitutions and writes to files are left to no shell. What asks about the
terminal gets the answer of one with 24 lines of 80 columns, for a dry run has none.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence

_SHELLS = ("sh", "bash", "dash", "zsh")
_SYSTEM = ("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/")
_BETWEEN = ("|", "||", "&&", ";")
_NOT_PLAIN = re.compile(r"[$`\\()<>{}\n!#~]")
_TO_NOWHERE = re.compile(r"(?:[12&]?>{1,2}\s*/dev/null|2>&1|<\s*/dev/(?:null|tty))(?=\s|$|[|;&])")
_TERMINAL = {"stty size": "24 80", "tput cols": "80", "tput lines": "24"}
_TERMINAL_OF_SHELL = "".join(
    f"{name}() {{ case $1 in {cases} *) command {name} $@;; esac; }}; "
    for name, cases in (
        ("stty", "size) echo 24 80;;"),
        ("tput", "cols) echo 80;; lines) echo 24;;"),
    )
)

Words = Sequence[str]
Judge = Callable[[Words], bool]


def _any(words: Words) -> bool:
    return True


def _none(words: Words) -> bool:
    return not words


def _options(words: Words) -> bool:
    """Nothing but options: a plain word would be a new value."""
    return all(word.startswith("-") for word in words)


def _without(*forbidden: str) -> Judge:
    """Any words but these options, however they are written."""

    def judge(words: Words) -> bool:
        return not any(_is_option(word, forbidden) for word in words)

    return judge


def _is_option(word: str, names: tuple[str, ...]) -> bool:
    long = [name for name in names if name.startswith("--")]
    short = {name[1] for name in names if not name.startswith("--")}
    if word.startswith("--"):
        given = word.partition("=")[0]
        return len(given) > 2 and any(name.startswith(given) for name in long)
    return word.startswith("-") and bool(short.intersection(word[1:]))


def _version(words: Words) -> bool:
    return len(words) == 1 and words[0] in ("--version", "-version", "-V", "-dumpversion")


def _date(words: Words) -> bool:
    shows = ("-u", "-R", "-I", "-Iseconds", "-Idate", "--utc", "--iso-8601")
    return all(word.startswith("+") or word in shows for word in words)


def _find(words: Words) -> bool:
    return not any(
        word.startswith(("-delete", "-exec", "-ok", "-fprint", "-fls")) for word in words
    )


def _graphics(words: Words) -> bool:
    shows = ("-L", "-q", "--query", "--format", "--list", "-i", "--id", "-d", "--display", "--show")
    values = [at for at, word in enumerate(words) if not word.startswith("-")]
    takes_value = all(at > 0 and words[at - 1] in ("-i", "-d", "--id") for at in values)
    return takes_value and all(word.startswith(shows) for word in words if word.startswith("-"))


def _pip(words: Words) -> bool:
    if not words or words[0] not in ("freeze", "list", "show"):
        return _version(words)
    return not any(_is_option(word, ("--outdated", "--uptodate", "-o", "-u")) for word in words)


def _python(words: Words) -> bool:
    for pip in (("-m", "pip"), ("-mpip",)):
        if tuple(words[: len(pip)]) == pip:
            return _pip(words[len(pip) :])
    return _version(words)


_LISTS = ("-a", "-r", "-v", "-vv", "-l", "--all", "--list", "--show-current")
_GETS = ("--get", "--get-all", "--list", "-l")
_GIT: dict[str, Judge] = {
    **dict.fromkeys(
        (
            *("rev-parse", "describe", "log", "status", "diff", "show", "ls-files", "ls-tree"),
            *("rev-list", "cat-file", "name-rev", "shortlog", "merge-base", "for-each-ref"),
            *("show-ref", "diff-index", "diff-files", "diff-tree", "blame", "version"),
        ),
        _without("--output", "--ext-diff", "--textconv", "--filters", "--exec-path"),
    ),
    **dict.fromkeys(
        ("branch", "tag"), lambda words: not words or (words[0] in _LISTS and _options(words))
    ),
    "remote": lambda words: tuple(words) in ((), ("-v",), ("--verbose",)) or words[0] == "get-url",
    "config": lambda words: bool(words) and (words[0] in _GETS or len(words) == 1),
    "symbolic-ref": lambda words: (
        sum(not word.startswith("-") for word in words) == 1
        and _without("-d", "--delete", "-m")(words)
    ),
}
_GIT_SETTINGS = ("--no-pager", "-P", "--git-dir=", "--work-tree=", "--no-optional-locks")


def _git(words: Words) -> bool:
    if words and words[0] == "-C":
        words = words[2:]
    while words and words[0].startswith(_GIT_SETTINGS):
        words = words[1:]
    judge = _GIT.get(words[0]) if words else None
    return _version(words) if judge is None else judge(words[1:])


_READERS: dict[str, Judge] = {
    **dict.fromkeys(
        (
            *("uname", "whoami", "which", "lscpu", "free", "df", "du", "ls", "cat", "head", "wc"),
            *("nproc", "pwd", "echo", "printf", "id", "groups", "arch", "uptime", "getconf", "ps"),
            *("basename", "dirname", "realpath", "readlink", "stat", "md5sum", "sha1sum"),
            *("sha256sum", "cksum", "cut", "grep", "egrep", "fgrep", "tr", "true", "false", "test"),
            *("locale", "lspci", "lsmod", "lsb_release", "sw_vers", "seq", "clear", "tput"),
        ),
        _any,
    ),
    **dict.fromkeys(("env", "printenv", "vm_stat", "tty"), _none),
    **dict.fromkeys(("nvidia-smi", "rocm-smi"), _graphics),
    **dict.fromkeys(
        (
            *("gcc", "g++", "cc", "c++", "clang", "clang++", "cmake", "ninja", "make", "nvcc"),
            *("hipcc", "ffmpeg", "ffprobe", "java", "node", "ldd"),
        ),
        _version,
    ),
    **dict.fromkeys(("python", "python3"), _python),
    **dict.fromkeys(("pip", "pip3"), _pip),
    "git": _git,
    "hostname": _options,
    "date": _date,
    "find": _find,
    "tail": _without("-f", "-F", "--follow", "--retry"),
    "sort": _without("-o", "-T", "--output", "--temporary-directory", "--compress-program"),
    "uniq": _options,
    "sysctl": lambda words: (
        _without("-w", "-p", "--write", "--load", "--system")(words)
        and not any("=" in word for word in words)
    ),
    "ldconfig": lambda words: tuple(words) == ("-p",),
}


def reading(command: Words) -> list[str] | None:
    """The words to run for a command that only reads, or None where it may do more."""
    if not command:
        return None
    if _name(command[0]) in _SHELLS and len(command) == 3 and command[1] == "-c":
        line = reading_line(command[2])
        return None if line is None else [*command[:2], line]
    if (answer := _TERMINAL.get(_joined(command))) is not None:
        return ["/bin/sh", "-c", f"echo {answer}"]
    return [*command] if _reads(command) else None


def reading_line(line: str) -> str | None:
    """The shell line to run for one that only reads, or None where it may do more."""
    plain = _TO_NOWHERE.sub(" ", line)
    if _NOT_PLAIN.search(plain):
        return None
    split = shlex.shlex(plain, posix=True, punctuation_chars="|&;")
    split.whitespace_split = True
    try:
        commands = _commands([*split])
    except ValueError:  # a quotation that does not end, or punctuation that is not known here
        return None
    asks = [_joined(command) in _TERMINAL for command in commands]
    if not all(asked or _reads(each) for asked, each in zip(asks, commands, strict=True)):
        return None
    return _TERMINAL_OF_SHELL + line if any(asks) else line


def _commands(words: Words) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for word in words:
        if word in _BETWEEN:
            found.append([])
        elif not word.strip("|&;"):
            raise ValueError(word)
        else:
            found[-1].append(word)
    return found


def _joined(command: Words) -> str:
    return " ".join((_name(command[0]), *command[1:])) if command else ""


def _reads(command: Words) -> bool:
    judge = _READERS.get(_name(command[0])) if command else None
    return judge is not None and judge(command[1:])


def _name(program: str) -> str:
    """The name of a program of the system's; of one that lies elsewhere, its path."""
    if program == sys.executable:
        return "python"
    name = os.path.basename(program)
    is_found = name == program or program == shutil.which(name) or program.startswith(_SYSTEM)
    return name if is_found else program
