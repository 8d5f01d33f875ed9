"""`%load_ext wellshaped` in a real kernel, and in IPython in a terminal."""

import re
import subprocess
import sys

import nbclient
import nbformat
import pytest

pytestmark = [
    pytest.mark.slow,
    # Of jupyter_client and its event loops, none of our doing.
    pytest.mark.filterwarnings("ignore"),
]

SETUP = "import torch, asyncio\nfrom torch import nn\nimport torch.nn.functional as F"
LOAD = "%load_ext wellshaped"
COLUMN = "logits, labels = torch.zeros(4, 3), torch.zeros(4, 1, dtype=torch.long)"
FAILS = "F.cross_entropy(logits, labels)"
SILENT = "F.kl_div(torch.zeros(8, 1), torch.ones(8), reduction='sum')"


@pytest.fixture(scope="module")
def kernel():
    """Runs cells in one kernel of this Python, and gives the outputs of each."""
    notebook = nbformat.v4.new_notebook()
    client = nbclient.NotebookClient(notebook, timeout=120, allow_errors=True)
    client.create_kernel_manager()
    client.km.kernel_spec.argv[0] = sys.executable
    with client.setup_kernel():

        def run(code):
            cell = nbformat.v4.new_code_cell(code)
            notebook.cells.append(cell)
            client.execute_cell(cell, len(notebook.cells) - 1)
            return cell.outputs

        run("%config InteractiveShell.colors = 'nocolor'")
        assert [each for each in run(SETUP) if each.output_type == "error"] == []
        run(COLUMN)
        yield run


@pytest.fixture
def loaded(kernel):
    kernel(LOAD)
    yield kernel
    kernel("%unload_ext wellshaped")


def kinds(outputs):
    return [each.output_type for each in outputs if each.output_type != "stream"]


def diagnoses(outputs):
    shown = [each.data for each in outputs if each.output_type == "display_data"]
    return [each for each in shown if "wellshaped" in each.get("text/html", "")]


def test_failing_cell_gets_its_diagnosis_below_the_traceback(loaded):
    outputs = loaded(f"x = 1\nloss = {FAILS}")
    assert kinds(outputs) == ["error", "display_data"]
    [shown] = diagnoses(outputs)
    assert shown["text/plain"].startswith("error[WS102]: ")
    assert "labels.squeeze(1)" in shown["text/plain"]
    assert re.search(r"Cell In\[\d+\]:2", shown["text/plain"])
    assert "<code>cross_entropy</code>" in shown["text/html"]
    assert "/tmp/" not in shown["text/plain"]


def test_traceback_is_as_without_us(kernel):
    def error(code):
        [found] = [each for each in kernel(code) if each.output_type == "error"]
        text = "\n".join(found.traceback)
        return found.ename, found.evalue, re.sub(r"In ?\[\d+\]|0x[0-9a-f]+|\d{3,}", "", text)

    codes = [f"loss = {FAILS}", f"%%time\ny = 2\nloss = {FAILS}", "1 / 0", "def"]
    before = [error(code) for code in codes]
    kernel(LOAD)
    assert [error(code) for code in codes] == before
    kernel("%unload_ext wellshaped")
    assert [error(code) for code in codes] == before


def test_timed_cell(loaded):
    outputs = loaded(f"%%time\nx = 1\nloss = {FAILS}")
    [shown] = diagnoses(outputs)
    assert shown["text/plain"].startswith("error[WS102]: ")
    assert "loss = F.cross_entropy(logits, labels)" in shown["text/plain"]


def test_asynchronous_cell(loaded):
    outputs = loaded(f"await asyncio.sleep(0)\nloss = {FAILS}")
    [shown] = diagnoses(outputs)
    assert "loss = F.cross_entropy(logits, labels)" in shown["text/plain"]
    assert loaded("await asyncio.sleep(0)") == []


def test_call_over_several_lines(loaded):
    [shown] = diagnoses(loaded("loss = F.cross_entropy(\n    logits,\n    labels,\n)"))
    assert "labels.squeeze(1)" in shown["text/plain"]


def test_function_of_an_earlier_cell(loaded):
    loaded("def step(a, b):\n    return F.cross_entropy(a, b)")
    [shown] = diagnoses(loaded("step(logits, labels)"))
    assert "return F.cross_entropy(a, b)" in shown["text/plain"]


@pytest.mark.parametrize("magic", ["", "%%time\n"])
def test_silent_broadcast_is_shown_below_the_result(loaded, magic):
    outputs = loaded(f"{magic}for _ in range(3):\n    loss = {SILENT}\nfloat(loss)")
    [shown] = diagnoses(outputs)
    assert shown["text/plain"].startswith("error[WS301]: ")
    assert "8 x 8 = 64 pairs" in shown["text/plain"]
    assert "loss = F.kl_div(" in shown["text/plain"]
    assert "seen here 3 times" in shown["text/plain"]
    assert [each.data["text/plain"] for each in outputs if each.output_type == "execute_result"]


def test_right_cells_and_other_errors_are_left_alone(loaded):
    assert loaded("F.mse_loss(torch.zeros(4), torch.zeros(4));") == []
    assert kinds(loaded("{}['missing']")) == ["error"]
    assert kinds(loaded("def")) == ["error"]


def test_hazard_before_another_failure_is_shown(loaded):
    outputs = loaded(f"{SILENT}\n1 / 0")
    assert kinds(outputs) == ["error", "display_data"]
    assert "WS301" in diagnoses(outputs)[0]["text/plain"]


def test_unloading_restores_everything(kernel):
    state = (
        "ip = get_ipython()\nprint('showtraceback' in vars(ip), ip.showtraceback.__qualname__, "
        "[len(ip.events.callbacks[name]) for name in ('pre_run_cell', 'post_run_cell')], "
        "F.kl_div.__code__.co_filename)"
    )
    before = kernel(state)[0].text
    kernel(LOAD)
    kernel(LOAD)
    assert kernel(state)[0].text != before
    kernel("%unload_ext wellshaped")
    assert kernel(state)[0].text == before
    assert diagnoses(kernel(f"loss = {FAILS}")) == []
    assert diagnoses(kernel(SILENT)) == []


def test_torch_is_not_loaded_for_the_reader():
    code = (
        "from IPython.core.interactiveshell import InteractiveShell as S\nimport sys\n"
        "ip = S.instance()\nip.run_line_magic('load_ext', 'wellshaped')\n"
        "ip.run_cell('1 / 0')\nassert 'torch' not in sys.modules\n"
        "ip.run_cell('import torch')\nip.run_cell(\"torch.zeros(2, 3).view(4, 2)\")\n"
        'ip.run_cell("""x = torch.nn.functional.kl_div(torch.zeros(8, 1), torch.ones(8), '
        'reduction=\'sum\')""")\n'
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "error[WS214]: " in ran.stdout
    assert "error[WS301]: " in ran.stdout
    assert "internal error" not in ran.stderr


def test_failure_of_our_own_is_one_line(loaded):
    loaded("import wellshaped.pipeline.explain as ours\nours.explain_exception, kept = None, 1")
    outputs = loaded(f"loss = {FAILS}")
    loaded("import importlib; importlib.reload(ours);")
    assert kinds(outputs) == ["error"]
    [line] = [each.text for each in outputs if each.output_type == "stream"]
    assert line.startswith("wellshaped: could not explain this cell (internal error: TypeError)")
    assert line.count("\n") == 1


def test_cell_that_runs_a_cell(loaded):
    [shown] = diagnoses(loaded(f"%%capture kept\n{SILENT};\nprint('seen')"))
    assert shown["text/plain"].startswith("error[WS301]: ")
