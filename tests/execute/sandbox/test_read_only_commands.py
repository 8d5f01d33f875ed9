"""Which commands a dry run takes for harmless readers, and which not."""

import sys

import pytest

from wellshaped.execute.sandbox.read_only_commands import reading, reading_line

READ = [
    "git rev-parse HEAD",
    "git rev-parse --short HEAD 2>/dev/null",
    "git describe --always --dirty",
    "git --no-pager log -1 --format='%h %s'",
    "git -C .. status --porcelain",
    "git diff --stat",
    "git branch --show-current",
    "git config --get remote.origin.url",
    "git remote -v",
    "nvidia-smi",
    "nvidia-smi -q -d Memory | grep -A4 GPU | grep Free",
    "nvidia-smi --query-gpu=memory.free,memory.used --format=csv,nounits,noheader -i 0",
    "uname -a && hostname",
    "cat /proc/cpuinfo | grep 'model name' | uniq -c",
    "ls -la data; wc -l train.py",
    "date +%Y-%m-%d",
    "python --version",
    "pip freeze",
    "python -m pip list --format=freeze",
    "python -mpip freeze",
    "gcc --version 2>&1",
    "/usr/bin/env",
    "find . -name '*.py'",
    "sort -n < /dev/null",
    "clear",
]
MORE = [
    "",
    "touch made",
    "ls > made",
    "ls >> made",
    "echo hi > /dev/null > made",
    "cat < secret",
    "ls | tee made",
    "ls |& tee made",
    "ls & touch made",
    "ls\ntouch made",
    "echo $(touch made)",
    "echo `touch made`",
    "$PROGRAM",
    "X=1 ls",
    "env touch made",
    "git commit -m x",
    "git -c alias.log='!touch made' log",
    "git branch new",
    "git branch -D main",
    "git remote -v update",
    "git config user.name x",
    "git log --output=made",
    "git log --outp=made",
    "git fetch",
    "nvidia-smi -pm 1",
    "nvidia-smi -q -f made",
    "nvidia-smi -l 1",
    "hostname other",
    "date 01010000",
    "date -us2020",
    "tail -f log.txt",
    "sort -o made log.txt",
    "sort --compress-program=touch log.txt",
    "uniq log.txt made",
    "find . -delete",
    "find . -exec touch made",
    "pip install x",
    "pip list --outdated",
    "python train.py",
    "python -mpip install x",
    "python -c 'print()'",
    "gcc -o made a.c",
    "ldd ./program",
    "sh script.sh",
    "wget http://example.org",
    "./ls",
    "data/git rev-parse HEAD",
    "echo 'open",
]


@pytest.mark.parametrize("line", READ)
def test_a_line_that_only_reads_is_run_as_it_is(line):
    assert reading_line(line) == line


@pytest.mark.parametrize("line", MORE)
def test_a_line_that_may_do_more_is_not(line):
    assert reading_line(line) is None


def test_words_are_judged_as_a_line_is():
    assert reading(["git", "rev-parse", "HEAD"]) == ["git", "rev-parse", "HEAD"]
    assert reading(["/bin/sh", "-c", "ls | wc -l"]) == ["/bin/sh", "-c", "ls | wc -l"]
    assert reading([sys.executable, "--version"]) == [sys.executable, "--version"]
    assert reading(["cat", "a|b", "$x"]) == ["cat", "a|b", "$x"]  # no shell reads these
    for command in ([], ["touch", "made"], ["/bin/sh", "-c", "touch made"], ["sh", "script.sh"]):
        assert reading(command) is None
