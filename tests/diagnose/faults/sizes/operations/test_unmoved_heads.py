"""Heads that were split off behind the steps: where each is split is told, if that explains all."""

import pytest

from tests.diagnose.snippets import diagnosed, mended

SCORES = """
x, mask = torch.randn(2, 7, 12), torch.tril(torch.ones({width}, {width}))
query = {query}
key = nn.Linear(12, 12)(x).view(2, 7, 3, 4)
value = nn.Linear(12, 12)(x).view(2, 7, 3, 4)
scores = query @ key.transpose(-2, -1)
scores.masked_fill(mask == 0, -1e9)
"""


def test_queries_keys_and_values_are_moved_together(tmp_path):
    (lines,) = mended(SCORES.format(query="x.view(2, 7, 3, 4)", width=7), tmp_path)
    assert lines == [
        "query = x.view(2, 7, 3, 4).transpose(1, 2)",
        "key = nn.Linear(12, 12)(x).view(2, 7, 3, 4).transpose(1, 2)",
        "value = nn.Linear(12, 12)(x).view(2, 7, 3, 4).transpose(1, 2)",
    ]


@pytest.mark.parametrize(
    ("query", "width"),
    [
        ("x.view(2, 7, 3, 4)", 8),  # the mask would not fit either
        ("torch.randn(2, 7, 5, 4)", 7),  # scores of five by three
    ],
)
def test_other_masks_are_another_fault(tmp_path, query, width):
    found = diagnosed(SCORES.format(query=query, width=width), tmp_path)
    assert found is not None
    assert (found.finding.code, found.finding.variant) == ("WS222", "several")
