"""Heads and layers are the same compiled, exported, in lower precision, and saved and loaded."""

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch.export import Dim, export

from tests.floats import CLOSE
from tests.nn.batches import FORMS, a_batch, a_head
from wellshaped.nn import MaskedGRU, MaskedLSTM, Pool

forms = pytest.mark.parametrize(("row", "form"), FORMS.values(), ids=FORMS.keys())
by_position = pytest.mark.parametrize(
    ("row", "form"),
    [made for name, made in FORMS.items() if name.endswith("positions")],
    ids=[name for name in FORMS if name.endswith("positions")],
)
kinds = pytest.mark.parametrize("kind", [MaskedLSTM, MaskedGRU])
# torch 2.13 looks at the gradient of what it is handed after a break in the graph.
calm = pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf")


@pytest.fixture(autouse=True)
def compiler():
    yield
    torch._dynamo.reset()


def steps_of(head):
    def step(inputs, targets, real):
        outputs = head(**inputs)
        return outputs, head.loss(outputs, targets, real)

    return step


def compare_compiled(row, form, backend):
    head, batch = a_head(row), a_batch(row, form, side="left")
    step = steps_of(head)
    # Recurrent layers run outside of the graph: torch does not follow them.
    compiled = torch.compile(step, backend=backend, fullgraph=row.name != "seq2seq")
    for rows in (4, 1):
        part = batch.rows(torch.arange(rows))
        ours = compiled(part.inputs, part.targets, part.real)
        torch.testing.assert_close(ours, step(part.inputs, part.targets, part.real), **CLOSE)
    ours[1].backward()
    assert all(torch.isfinite(weight.grad).all() for weight in head.parameters())


@calm
@pytest.mark.slow
@by_position
def test_compiled(row, form):
    compare_compiled(row, form, "eager")


@calm
@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["multiclass-num_classes-positions", "tagging-num_classes-positions"]
)
def test_compiled_with_its_gradients(name):
    compare_compiled(*FORMS[name], "aot_eager")


@calm
@pytest.mark.slow
@kinds
def test_recurrent_layers_compiled(kind):
    torch.manual_seed(0)
    module, mask = kind(3, 4, 2, bidirectional=True), torch.ones(3, 5, dtype=torch.bool).triu(1)
    compiled = torch.compile(module, backend="eager")
    for rows in (3, 1):
        inputs = torch.randn(rows, 5, 3)
        ours, wanted = compiled(inputs, mask[:rows]), module(inputs, mask[:rows])
        torch.testing.assert_close(ours, wanted, **CLOSE)


@forms
def test_exported_with_any_number_of_rows(row, form):
    head, batch = a_head(row), a_batch(row, form, side="left")
    rows = {name: {0: Dim("B")} for name in batch.inputs}
    program = export(head, (), dict(batch.inputs), dynamic_shapes=rows).module()
    for count in (4, 3, 1):
        part = batch.rows(torch.arange(count)).inputs
        torch.testing.assert_close(program(**part), head(**part), **CLOSE)
    more = {name: torch.cat([part, part]) for name, part in batch.inputs.items()}
    torch.testing.assert_close(program(**more), head(**more), **CLOSE)


@pytest.mark.parametrize("how", ["last", "first", "mean", "max", "attention"])
def test_pooling_exported_with_any_number_of_rows_and_positions(how):
    torch.manual_seed(0)
    pool, lengths, values = Pool(how, 3), torch.tensor([2, 5, 1, 4]), torch.randn(4, 5, 3)
    rows, positions = Dim("B"), Dim("T")
    shapes = ({0: rows, 1: positions}, {0: rows})
    program = export(pool, (values, lengths), dynamic_shapes=shapes).module()
    for part in (
        (values, lengths),
        (values[:1, :2], lengths[:1]),
        (values.repeat(2, 2, 1), lengths.repeat(2)),
    ):
        torch.testing.assert_close(program(*part), pool(*part), **CLOSE)


@kinds
def test_recurrent_layers_exported(kind):
    torch.manual_seed(0)
    module, lengths = kind(3, 4, 2, bidirectional=True), torch.tensor([2, 5, 1, 4])
    inputs, rows = torch.randn(4, 5, 3), {0: Dim("B")}
    program = export(module, (inputs, lengths), dynamic_shapes=(rows, rows)).module()
    for count in (4, 1, 2):
        part = inputs[:count], lengths[:count]
        torch.testing.assert_close(program(*part), module(*part), **CLOSE)


@forms
def test_lower_precision(row, form):
    head, batch = a_head(row), a_batch(row, form)
    wanted = head.loss(head(**batch.inputs), batch.targets, batch.real)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        outputs = head(**batch.inputs)
        loss = head.loss(outputs, batch.targets, batch.real)
    assert outputs.dtype == torch.bfloat16
    assert loss.dtype == torch.float32
    torch.testing.assert_close(loss, wanted, rtol=0.05, atol=0.02)
    loss.backward()
    assert all(torch.isfinite(weight.grad).all() for weight in head.parameters())


@kinds
@pytest.mark.parametrize("rows", [0, 4])
def test_recurrent_layers_in_lower_precision(kind, rows):
    torch.manual_seed(0)
    module, lengths = kind(3, 4, bidirectional=True), torch.tensor([2, 5, 1, 4])[:rows]
    inputs = torch.randn(rows, 5, 3)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        outputs, _ = module(inputs, lengths)
    torch.testing.assert_close(outputs.float(), module(inputs, lengths)[0], rtol=0.05, atol=0.02)
    outputs.sum().backward()
    assert all(torch.isfinite(weight.grad).all() for weight in module.parameters())


@forms
@pytest.mark.parametrize("pool", ["mean", "attention"])
def test_saved_and_loaded(row, form, pool, tmp_path):
    options = {} if row.by_position else {"pool": pool}
    saved, loaded = a_head(row, seed=0, **options), a_head(row, seed=1, **options)
    save_file(saved.state_dict(), tmp_path / "head.safetensors")
    loaded.load_state_dict(load_file(tmp_path / "head.safetensors"))
    inputs = a_batch(row, form).inputs
    assert torch.equal(loaded(**inputs), saved(**inputs))
