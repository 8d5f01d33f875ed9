"""What a fault is known by, before and after an edit."""

from tests.diagnose.snippets import diagnosed
from wellshaped.pipeline.proof import _behind

LINE = "a, x = torch.ones(3), torch.ones(3, 4)\ny = {} * x + {} * x"


def behind(first, second, folder):
    found = diagnosed(LINE.format(first, second), folder)
    assert found is not None
    return _behind(found.finding.observation.passage)


def test_two_products_on_a_line_are_two_faults(tmp_path):
    first, second = behind("a", "a", tmp_path), behind("a.unsqueeze(1)", "a", tmp_path)
    assert first == " + a * x"
    assert second == ""
