"""A pasted text is taken apart: tracebacks of Python, IPython, pytest and launchers."""

import traceback

import pytest
import torch
from torch.utils.data import DataLoader

from tests import warm
from wellshaped.observe.message.read import read_message
from wellshaped.observe.message.text import errors_of

INNER = "mat1 and mat2 shapes cannot be multiplied (4x9 and 8x5)"
PYTHON = f"""
Traceback (most recent call last):
  File "/home/ann/train.py", line 30, in <module>
    main()
  File "/home/ann/train.py", line 21, in step
    scores = head(features) + 1
             ^^^^^^^^^^^^^^
  File "/opt/env/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1779, in _wrapped
    return self._call_impl(*args, **kwargs)
  File "/opt/env/lib/python3.11/site-packages/torch/nn/modules/linear.py", line 134, in forward
    return F.linear(input, self.weight, self.bias)
RuntimeError: {INNER}
"""
IPYTHON = f"""
---------------------------------------------------------------------------
RuntimeError                              Traceback (most recent call last)
Cell In[3], line 5
      3 features = torch.randn(4, 9)
      4 
----> 5 scores = head(features)

File /opt/env/lib/python3.11/site-packages/torch/nn/modules/linear.py:134, in Linear.forward(self, x)
    130 def forward(self, input: Tensor) -> Tensor:
--> 134     return F.linear(input, self.weight, self.bias)

RuntimeError: {INNER}
"""  # noqa: E501, W291
COLAB = f"""
---------------------------------------------------------------------------
RuntimeError                              Traceback (most recent call last)
/tmp/ipython-input-31-2288.py in <cell line: 0>()
      1 features = torch.randn(4, 9)
----> 2 scores = head(features)

/usr/local/lib/python3.12/dist-packages/torch/nn/modules/linear.py in forward(self, input)
    123     def forward(self, input: Tensor) -> Tensor:
--> 125         return F.linear(input, self.weight, self.bias)

RuntimeError: {INNER}
"""
PYTEST = f"""
    def test_step():
>       scores = head(features)

test_train.py:12:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _
E       RuntimeError: {INNER}
"""


def coloured(text):
    return text.replace("RuntimeError", "\x1b[1;35mRuntimeError\x1b[0m").replace(
        "train.py", "\x1b[35mtrain.py\x1b[0m"
    )


def ranked(text):
    return "\n".join(f"[rank0]: {line}" for line in text.splitlines())


def logged(text):
    head = "E0101 10:00:00.180000 258 torch/_subclasses/fake_tensor.py:3090] "
    return "\n".join(head + line for line in text.splitlines())


@pytest.mark.parametrize(
    "dress", [str, coloured, ranked, logged, lambda t: t.replace("\n", "\r\n")]
)
def test_python_traceback(dress):
    told = read_message(dress(PYTHON))
    assert (told.kind, told.error_type, told.parts) == ("inner", "RuntimeError", ("linear",))
    assert told.values == {"left": (4, 9), "right": (8, 5)}
    inner, outer = told.passages
    assert (inner.place.file, inner.place.line) == ("/home/ann/train.py", 21)
    assert (inner.place.function, outer.place.function) == ("step", "")
    assert inner.lines == ((21, "scores = head(features) + 1"),)
    assert inner.text == "head(features)"


@pytest.mark.parametrize(
    ("text", "file", "line"),
    [
        (IPYTHON, "Cell In[3]", 5),
        (COLAB, "/tmp/ipython-input-31-2288.py", 2),
    ],
)
def test_notebook_traceback(text, file, line):
    told = read_message(text)
    assert (told.kind, told.error_type, told.parts) == ("inner", "RuntimeError", ("linear",))
    assert (told.passages[0].place.file, told.passages[0].place.line) == (file, line)
    assert told.passages[0].lines == ((line, "scores = head(features)"),)


def test_report_of_pytest():
    told = read_message(PYTEST)
    assert (told.kind, told.error_type) == ("inner", "RuntimeError")


def test_last_of_chained_errors_counts():
    earlier = PYTHON.replace(INNER, "grad can be implicitly created only for scalar outputs")
    joint = "\nDuring handling of the above exception, another exception occurred:\n"
    assert read_message(earlier + joint + PYTHON).kind == "inner"


def test_earlier_error_counts_where_the_last_is_the_programs_own():
    last = 'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    go()\n'
    text = f"{PYTHON}\nThe above exception was the direct cause of the following:\n\n{last}"
    told = read_message(f"{text}TrainingError: step 7 failed\n")
    assert (told.kind, told.error_type) == ("inner", "RuntimeError")


def test_error_of_a_worker(tmp_path):
    script = tmp_path / "load.py"
    script.write_text(
        "import torch\nfrom torch.utils.data import DataLoader\ntorch.set_num_threads(1)\n"
        "rows = [torch.zeros(3), torch.zeros(5)]\n"
        "for batch in DataLoader(rows, batch_size=2, num_workers=1):\n    pass\n"
    )
    ran = warm.run([script], text=True)
    told = read_message(ran.stderr)
    assert told.kind in ("stacked", "ragged")
    assert told.parts == ("collate",)
    assert told.passages[0].place.line == 5


def test_traceback_of_a_loss_names_it():
    try:
        torch.nn.functional.poisson_nll_loss(torch.zeros(4, 3), torch.zeros(4, 2))
    except RuntimeError as error:
        told = read_message("".join(traceback.format_exception(error)))
    assert (told.kind, told.callee, told.parts) == ("broadcast", "poisson_nll_loss", ("loss",))
    assert "poisson_nll_loss(torch.zeros(4, 3)" in told.passages[0].lines[0][1]


def test_warning_names_the_loss():
    text = (
        "/env/lib/python3.11/site-packages/torch/nn/modules/loss.py:634: UserWarning: Using a "
        "target size (torch.Size([64])) that is different to the input size (torch.Size([64, 1])). "
        "This will likely lead to incorrect results due to broadcasting. Please ensure they have "
        "the same size.\n  return F.mse_loss(input, target, reduction=self.reduction)\n"
    )
    told = read_message(text)
    assert (told.kind, told.callee, told.error_type) == ("warned", "mse_loss", "UserWarning")
    assert told.values == {"input": (64, 1), "target": (64,)}


def test_collating_in_the_program_is_told_from_stacking():
    try:
        next(iter(DataLoader([torch.zeros(3), torch.zeros(5)], batch_size=2)))
    except RuntimeError as error:
        told = read_message("".join(traceback.format_exception(error)))
    assert (told.kind, told.parts) == ("stacked", ("collate",))


@pytest.mark.parametrize(
    "noise",
    ["epoch 1 loss 0.25\n" * 12_000, "x" * 200_000 + "\n", "(" * 200_000, "File " * 40_000 + "\n"],
    ids=["log", "line", "brackets", "words"],
)
def test_long_texts_are_read(noise):  # for hours, if time grew with the square of the length
    assert read_message(noise).kind == ""
    assert read_message(f"{noise}\n{PYTHON}").kind == "inner"


def test_text_without_errors_is_one():
    assert [each.text for each in errors_of("  some words\n")] == ["some words"]
