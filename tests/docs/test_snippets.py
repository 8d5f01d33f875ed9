"""The short examples on the pages of the codes are programs in which that code is found."""

import pytest

from tests.diagnose.snippets import PRELUDE, diagnosed
from tests.docs.snippets import examples, wrong_and_right
from tests.docs.surroundings import AROUND

EVERY = [
    pytest.param(code, around, text, id=f"{code}-{place}")
    for code, texts in examples().items()
    for place, (around, text) in enumerate(zip(AROUND.get(code, ()), texts, strict=False))
]


def test_every_example_of_every_page_is_tried():
    tried = {code: len(arounds) for code, arounds in AROUND.items()}
    assert tried == {code: len(texts) for code, texts in examples().items()}


@pytest.mark.parametrize(("code", "around", "text"), EVERY)
def test_the_page_says_what_is_found(code, around, text, tmp_path):
    wrong, right = wrong_and_right(around, text)
    for program in wrong:
        found = diagnosed(program, tmp_path)
        assert found is not None, program
        assert found.finding.code == code
    for program in right:
        exec(compile(PRELUDE + program, "example.py", "exec"), {"__name__": "__main__"})
        found = diagnosed(program, tmp_path)
        assert found is None or found.finding.code != code
