"""Sequences are made to fit: the end and the lead are kept, and the answer as long as it can be."""

from itertools import product

import pytest

from wellshaped.train.data.truncation import Side, fit


@pytest.mark.parametrize(
    ("prompt", "first", "second", "length"),
    list(product((0, 1, 7), (0, 1, 9), (1, 4), (3, 5, 8, 30))),
)
def test_every_size(prompt, first, second, length):
    shared = [100 + n for n in range(prompt)]
    sides = [
        Side([1], shared + [start + n for n in range(size)], [2])
        for start, size in ((200, first), (300, second))
    ]
    made, cut = fit(sides, prompt=prompt, length=length)
    room = length - 2
    for ids, size, start in zip(made, (first, second), (200, 300), strict=True):
        assert len(ids) <= length
        assert (ids[0], ids[-1]) == (1, 2)
        answer = [each for each in ids if start <= each < start + 100]
        assert answer == [start + n for n in range(min(size, room))]
        kept = [each for each in ids if 100 <= each < 200]
        assert kept == shared[cut.prompt :][:room]
    assert (
        cut.answers == sum(max(0, size - room) for size in (first, second)) or cut.prompt < prompt
    )
    assert cut.full == (prompt >= room)
    if max(first, second) + prompt <= room:
        assert (cut.prompt, cut.answers) == (0, 0)
