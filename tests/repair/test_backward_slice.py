"""The statements that a line depends on: through names, calls, attributes, options and loaders."""

import pytest

from wellshaped.records.repair import Edit
from wellshaped.records.source import Span
from wellshaped.repair.backward_slice import is_default, sliced


def lines(texts, file, line):
    """The first lines of the sites behind a line, by file."""
    return {(site.file, site.node.lineno) for site in sliced([(file, line)], texts)}


@pytest.mark.parametrize(
    ("text", "line", "wanted"),
    [
        pytest.param("n = 20\nm = n\nf(m)\n", 3, {1, 2}, id="names"),
        pytest.param("def f(n=3):\n    g(n)\n\nf()\nf(4)\n", 2, {1, 4, 5}, id="parameters"),
        pytest.param("def f():\n    return make()\n\nx = f()\nuse(x)\n", 5, {2, 4}, id="returns"),
        pytest.param(
            "class Net:\n    def __init__(self):\n        self.k = 7\n\n    def forward(self, x):\n"
            "        return x.view(self.k)\n\nnet = Net()\nloss(net(x))\n",
            9,
            {3, 6, 8},
            id="attributes",
        ),
        pytest.param(
            'p.add_argument("--image-size", default=64)\na = p.parse_args()\nf(a.image_size)\n',
            3,
            {1, 2},
            id="options",
        ),
        pytest.param('cfg = {"width": 8}\nf(cfg["width"])\n', 2, {1}, id="keys"),
        pytest.param(
            "class Data:\n    def __getitem__(self, i):\n        y = [self.y[i]]\n"
            "        return y\n\n"
            "data = Data()\nfor y in DataLoader(data):\n    loss(y)\n",
            8,
            {3, 4, 6, 7},
            id="samples",
        ),
    ],
)
def test_a_line_depends_on_lines_further_up(text, line, wanted):
    found = {number for _, number in lines({"a.py": text}, "a.py", line)}
    assert wanted <= found


def test_other_files_of_the_program_are_followed():
    texts = {
        "train.py": "from model import build\nnet = build()\nloss(net)\n",
        "model.py": "def build(width=4):\n    return make(width)\n",
    }
    assert {("model.py", 1), ("model.py", 2)} <= lines(texts, "train.py", 3)


def test_what_has_nothing_to_do_with_a_line_is_left_out():
    text = "a = 1\nb = 2\nf(a)\n"
    assert lines({"a.py": text}, "a.py", 3) == {("a.py", 1), ("a.py", 3)}


def test_a_file_that_does_not_parse_is_passed_over():
    assert sliced([("a.py", 1)], {"a.py": "f("}) == []


def test_a_default_is_told_from_an_argument():
    text = "def f(n=3):\n    return n\n\nf(n=3)\n"
    assert is_default(Edit("a.py", Span(1, 8, 1, 9), "4"), text)
    assert not is_default(Edit("a.py", Span(4, 4, 4, 5), "4"), text)


def test_a_buffer_leads_to_where_it_is_registered():
    text = (
        "class Table:\n"
        "    def __init__(self, length=40):\n"
        "        table = torch.zeros(length, 8)\n"
        '        self.register_buffer("pe", table)\n'
        "    def forward(self, x):\n"
        "        return x + self.pe\n"
    )
    assert {2, 3, 4} <= {each.node.lineno for each in sliced([("t.py", 6)], {"t.py": text})}


def test_settings_that_are_unpacked_lead_to_their_entries():
    text = 'PRESET = {"size": 64}\ndef build(size):\n    return use(size)\nbuild(**PRESET)\n'
    found = sliced([("t.py", 3)], {"t.py": text})
    assert any(getattr(each.node, "value", None) == 64 for each in found)
