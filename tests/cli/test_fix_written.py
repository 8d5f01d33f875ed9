"""`wellshaped fix --apply` says where the backup is and what could not be kept."""

from dataclasses import replace

from wellshaped.cli import fix
from wellshaped.records.check import Report
from wellshaped.records.fix import Applied, FixResult, NotKept, WrittenFile
from wellshaped.records.phrase import UserError

NOTHING = FixResult(Report("train.py", (), ()), (), ())
LOST = (
    NotKept("owner", "train.py.bak", "alice:users", "bob:users"),
    NotKept("mode", "train.py", "4755", "0755"),
    NotKept("attribute", "train.py", "security.capability", ""),
)


def test_each_thing_that_is_not_kept_has_its_line() -> None:
    done = Applied(0, (WrittenFile("train.py", "train.py.bak", LOST), WrittenFile("other.py")))
    fixed, refused = fix._applied(NOTHING, lambda: replace(NOTHING, applied=done))
    assert refused is None
    assert list(fix._file_lines(fixed, "en")) == [
        "backup of train.py: train.py.bak",
        "the owner of train.py.bak could not be kept: it was alice:users and is bob:users",
        "the mode of train.py could not be kept: it was 4755 and is 0755",
        "the attribute security.capability of train.py could not be kept",
    ]


def test_a_write_that_is_refused_still_lets_the_repairs_be_shown() -> None:
    def refuse() -> FixResult:
        raise UserError("WS955", "no_write_permission", file="train.py")

    fixed, refused = fix._applied(NOTHING, refuse)
    assert fixed.applied == Applied(0, failed=True)
    assert refused is not None
    assert refused.code == "WS955"
