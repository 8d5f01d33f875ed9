"""Small changes of settings and of counts: which there are, and where there are none."""

from dataclasses import replace

import pytest

from wellshaped.records.observation import FrameNames, Observation, Operand
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage, Place
from wellshaped.repair import in_turns, small_changes

FILE = "train.py"


def at(text, line, function=""):
    written = text.splitlines()[line - 1]
    return Passage(Place(FILE, line, function), None, written.strip(), ((line, written),))


def found(text, line, *shapes, kind="operation", callee="add", dtypes=(), held=None, **more):
    """The kinds and the texts of the changes where tensors of these shapes met on a line."""
    roles = ("input", "target", "third")
    kinds = [*dtypes, *["float32"] * len(shapes)]
    operands = tuple(
        Operand(role, TensorFact(shape, dtype))
        for role, shape, dtype in zip(roles, shapes, kinds, strict=False)
    )
    names = tuple((name, TensorFact(*fact)) for name, fact in (held or {}).items())
    frames = (FrameNames(Place(FILE, line, more.pop("function", "")), names),)
    passage = at(text, line)
    more = {"operands": operands, **more}
    seen = Observation(kind, callee, callee, passage, error_type="E", frames=frames, **more)
    return {(each.facts["why"], each.edits[0].text) for each in small_changes(seen, {FILE: text})}


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("y = f(n * 2 if both else 1)\n", "n * (2 if both else 1)"),
        ("y = f(n + 1 if both else 0)\n", "n + (1 if both else 0)"),
        ("y = f(a != b | c != d)\n", "(a != b) | (c != d)"),
    ],
)
def test_an_expression_is_grouped_as_it_reads(text, change):
    assert ("precedence", change) in found(text, 1, (4, 3), (4, 5))


@pytest.mark.parametrize("text", ["y = f(n * 2 if both else 3)\n", "y = f(a != b)\n"])
def test_what_reads_as_it_is_stays(text):
    assert not {each for each in found(text, 1, (4, 3), (4, 5)) if each[0] == "precedence"}


WORDS = """
class Config:
    kind: str = "single"

def loss(scores, labels, config):
    if config.kind == "many":
        return f(scores, labels)
    else:
        return g(scores, labels)
""".lstrip()


def test_a_setting_may_be_the_word_that_it_is_compared_with():
    assert ("word", "'many'") in found(WORDS, 8, (4, 3), (12,), kind="loss")


def test_an_option_may_be_another_of_its_choices():
    text = 'parser.add_argument("--mode", default="a", choices=["a", "b"])\ny = f(args.mode)\n'
    assert ("word", "'b'") in found(text, 2, (4, 3), (4, 5))


def test_a_default_may_be_another_word():
    text = 'def f(x, mode="a"):\n    y = g(x, mode)\n    return y if mode == "b" else x\n'
    assert ("word", "'b'") in found(text, 2, (4, 3), (4, 5), function="f")


def test_a_word_that_nothing_is_compared_with_stays():
    text = 'name = "a"\ny = f(name)\n'
    assert not {each for each in found(text, 2, (4, 3), (4, 5)) if each[0] == "word"}


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("y = f(x[:, n:], z)\n", "x[:, n:-1]"),
        ("y = f(x[:, :-1], z)\n", "x[:, :]"),
        ("y = f(x[:, 1:], z)\n", "x[:, :]"),
    ],
)
def test_a_cut_may_end_one_entry_earlier_or_later(text, change):
    assert ("slice", change) in found(text, 1, (4, 6), (4, 7))
    assert ("slice", change) not in found(text, 1, (4, 6), (4, 12))


def test_an_entry_is_not_a_range_of_one():
    assert ("slice", "x[:, 2]") in found("y = f(x[:, 2:], z)\n", 1, (4, 1), (4,))
    assert ("slice", "x[:, -1:]") in found("y = f(x[:, -1], z)\n", 1, (4,), (4, 1))


def test_a_table_with_time_first_is_turned_where_the_batch_is_first():
    text = "y = x + table[:x.size(0)]\n"
    change = "table[:x.size(1)].transpose(0, 1)"
    assert ("slice", change) in found(text, 1, (8, 5, 6), (7, 1, 6))


def test_a_count_that_leaves_some_out_grows_by_what_is_missing():
    operands = (Operand("input", TensorFact((4, 9), "int64"), bounds=(0, 21)),)
    text = "n = len(tokens)\ny = table(n)\n"
    changes = found(
        text, 2, kind="module", callee="Embedding", operands=operands,
        options={"num_embeddings": 20},
    )  # fmt: skip
    assert ("count", "len(tokens) + 2") in changes


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("w = f(np.unique(y), scores)\n", "np.arange(scores.shape[1])"),
        ("w = f(torch.bincount(y), scores)\n", "torch.bincount(y, minlength=scores.shape[1])"),
        ("w = f(F.one_hot(y), scores)\n", "F.one_hot(y, num_classes=scores.shape[1])"),
    ],
)
def test_classes_are_counted_by_the_scores_and_not_by_what_is_there(text, change):
    operands = (
        Operand("input", TensorFact((9, 4))),
        Operand("target", TensorFact((9,), "int64")),
        Operand("weight", TensorFact((3,))),
    )
    changes = found(
        text, 1, kind="loss", callee="cross_entropy", operands=operands,
        held={"scores": ((9, 4),), "y": ((9,), "int64")},
    )  # fmt: skip
    assert ("count", change) in changes


def test_flattened_labels_of_all_classes_are_class_numbers():
    text = "loss = f(scores, labels.view(-1))\n"
    some = found(text, 1, (8, 4), (32,), kind="loss", callee="cross_entropy")
    none = found(text, 1, (8, 4), (16,), kind="loss", callee="cross_entropy")
    assert ("argmax", "labels.argmax(-1)") in some - none


def test_parts_of_several_sizes_are_joined_and_not_stacked():
    assert ("join", "torch.cat") in found("y = torch.stack(v)\n", 1, (3,), (4,), callee="stack")
    assert ("join", "torch.cat") not in found("y = torch.stack(v)\n", 1, (3,), (4,))


def test_a_loader_is_given_the_function_that_collates():
    text = "def pad_collate(rows):\n    return rows\n\nloader = DataLoader(data)\n"
    changes = found(text, 4, (3,), (4,), kind="collate", callee="stack")
    assert ("given", "DataLoader(data, collate_fn=pad_collate)") in changes


def test_a_function_that_collates_is_imported():
    texts = {
        FILE: "from data import Boxes\n\nloader = DataLoader(Boxes())\n",
        "data.py": "def box_collate(rows):\n    return rows\n",
    }
    passage = at(texts[FILE], 3)
    seen = Observation("collate", "stack", "", passage, (), error_type="E")
    edits = [each.edits for each in small_changes(seen, texts) if each.facts["why"] == "given"]
    assert [each.text for each in edits[0]] == [
        "DataLoader(Boxes(), collate_fn=box_collate)",
        "Boxes, box_collate",
    ]


def test_pictures_are_read_in_one_mode():
    text = "x = f(Image.open(path))\n"
    assert ("channels", "Image.open(path).convert('RGB')") in {
        (why, text.replace('"', "'")) for why, text in found(text, 1, (4, 9), (3, 9), kind="loss")
    }
    assert "channels" not in {why for why, _ in found(text, 1, (4, 9), (4, 8))}


def test_what_is_added_in_place_takes_the_dtype_of_what_it_is_added_to():
    text = "total.add_(part)\n"
    changes = found(
        text,
        1,
        (4, 3),
        (4, 3),
        dtypes=("float32", "bfloat16"),
        held={"part": ((4, 3), "bfloat16"), "total": ((4, 3),)},
    )
    assert ("dtype", "part.to(total.dtype)") in changes


@pytest.mark.parametrize(
    ("bounds", "change"), [((-1, 1), {"y + 1"}), ((1, 3), {"y - 1"}), ((0, 3), set())]
)
def test_class_numbers_begin_at_0(bounds, change):
    target = Operand("target", TensorFact((6,), "int64"), at("y", 1), bounds=bounds)
    target = replace(target, passage=replace(target.passage, text="y"))
    operands = (Operand("input", TensorFact((6, 3))), target)
    changes = found("loss = f(x, y)\n", 1, kind="loss", callee="cross_entropy", operands=operands)
    assert {text for why, text in changes if text.startswith("y ")} == change


def test_rows_are_repeated_by_a_number_that_has_a_name():
    operands = (Operand("input", TensorFact((6, 4))), Operand("other", TensorFact((2, 4))))
    frames = (FrameNames(Place(FILE, 1, ""), (("x", TensorFact((2, 4))), ("self.beams", 3))),)
    text = "tokens[:, :4] = x\n"
    seen = Observation(
        "operation", "copy", "", at(text, 1), operands, error_type="E", frames=frames
    )
    texts = {each.edits[0].text for each in small_changes(seen, {FILE: text})}
    assert "x.repeat_interleave(self.beams, 0)" in texts


LAYERS = """
class Net:
    def __init__(self, hidden_size, memory_size, stride, nb_layers):
        self.cell = GRUCell(hidden_size, 3)
        self.rnn = LSTM(4, 5)
        self.up = ConvTranspose2d(4, 5, 3, stride=stride)

    def forward(self, x):
        y = x.reshape(self.cfg.envs, -1, 4)
        return f(self.cell(y), self.rnn(y), self.up(y))
""".lstrip()


@pytest.mark.parametrize(
    "change",
    [
        ("name", "memory_size"),
        ("option", "LSTM(4, 5, num_layers=nb_layers)"),
        ("option", "ConvTranspose2d(4, 5, 3, stride=stride, output_padding=stride % 2)"),
        ("option", "ConvTranspose2d(4, 5, 3, stride=stride, output_padding=(0, 1))"),
        ("fixed", "x.size(0)"),
    ],
)
def test_a_function_has_other_things_at_hand(change):
    assert change in found(LAYERS, 9, (8, 5), (7, 5), function="forward")


def test_heads_are_the_nearest_numbers_that_divide_the_width():
    text = "layer = Attention(width=32, heads=12)\n"
    options = {"embed_dim": 32, "num_heads": 12}
    changes = found(text, 1, kind="module", callee="MultiheadAttention", options=options)
    assert {("number", "8"), ("number", "16"), ("number", "24"), ("number", "36")} <= changes


def test_a_side_is_the_root_of_what_an_area_is_times_too_small():
    text = "side = 2\nlayer = Linear(24 * side * side, 5)\n"
    options = {"in_features": 96}
    changes = found(text, 2, (8, 384), kind="module", callee="Linear", options=options)
    assert ("factor", "4") in changes


def test_a_crop_is_a_multiple_of_what_the_halves_ask_for():
    text = "crop = 44\ny = f(net(crop))\n"
    assert ("scale", "48") in found(text, 2, (4, 64, 5, 8), (4, 64, 4, 8), callee="cat")
    assert ("scale", "48") not in found(text, 2, (4, 64, 5, 8), (4, 64, 2, 8), callee="cat")


def test_a_number_of_a_dimension_sets_no_size():
    text = "y = f(x.unsqueeze(2), x.sum(dim=2), x[2])\n"
    assert not {each for each in found(text, 1, (4, 2), (4, 3)) if each[0] == "number"}


def test_of_many_kinds_each_has_its_turn():
    text = "y = torch.cat([a.squeeze(), b[:, 1:]], dim=x.size(0) if n == 3 else 1)\n"
    operands = tuple(
        Operand(each, TensorFact(shape)) for each, shape in (("a", (4, 3)), ("b", (4, 4)))
    )
    seen = Observation("operation", "cat", "", at(text, 1), operands, error_type="E")
    changes = small_changes(seen, {FILE: text})
    kinds = {each.facts["why"] for each in changes}
    assert {each.facts["why"] for each in in_turns(changes)[: len(kinds)]} == kinds


def test_what_a_mask_leaves_of_rows_is_filled_everywhere():
    text = (
        "def mine(dist, same):\n"
        "    far = dist[same].view(n, -1).max(dim=1).values\n"
        "    near = dist[~same].view(n, -1).min(dim=1).values\n"
        "    return far, near\n"
    )
    seen = Observation("operation", "view", "", at(text, 2, "mine"), (), error_type="E")
    first = small_changes(seen, {FILE: text})[0]
    assert [each.text for each in first.edits] == [
        'dist.masked_fill(~same, float("-inf"))',
        'dist.masked_fill(same, float("inf"))',
    ]


def test_entries_of_a_list_are_no_mask():
    text = "y = rows[0].view(n, -1).max(dim=1)\n"
    assert "masked" not in {why for why, _ in found(text, 1, (4, 3), (4, 5))}


def test_the_rows_are_no_factor_of_a_row():
    text = "layer = Linear(8 * 16 * 30, 18)\ny = x.view(-1, 8 * 16 * 30)\n"
    operands = (Operand("input", TensorFact((5, 16, 30))),)
    options = {"args": (-1, 3840)}
    seen = Observation(
        "operation", "view", "", at(text, 2), operands, options=options, error_type="E"
    )
    edits = [each.edits for each in small_changes(seen, {FILE: text}) if len(each.edits) == 2]
    assert [(each.span.line, each.text) for each in edits[0]] == [(2, "16 * 30"), (1, "16 * 30")]
