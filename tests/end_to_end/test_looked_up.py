"""`fix` on numbers that are looked up for each row and laid on the columns of pictures."""

import textwrap

import pytest

from wellshaped.execute.program import Program
from wellshaped.pipeline.fix import fix

pytestmark = pytest.mark.slow

NOISED = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
kept = torch.linspace(0.9, 0.1, 10)
model = nn.Conv2d(1, 1, 3, padding=1)
for (clean,) in DataLoader(TensorDataset(torch.randn(8, 1, {width}, {width})), batch_size=4):
    steps, noise = torch.randint(0, 10, (len(clean),)), torch.randn_like(clean)
    share = kept[steps]
    given = share.sqrt() * clean + (1 - share).sqrt() * noise
    nn.functional.mse_loss(model(given), noise).backward()
"""


@pytest.mark.parametrize(
    ("width", "level", "before"),
    [
        (6, "safe", {1: True, 2: False, 3: False, 4: False}),
        # At its own size it runs by chance: that is no size at which it holds.
        (4, "changes results", {1: True, 2: False, 3: False, 4: None}),
    ],
)
def test_one_edit_where_they_are_looked_up_serves_all_uses(tmp_path, width, level, before):
    program = tmp_path / "train.py"
    program.write_text(textwrap.dedent(NOISED.format(width=width)))
    fixed, _ = fix(Program(str(program)))
    (mended,) = fixed.mended
    assert not fixed.left
    assert mended.proposal.repair.level == level
    assert "    share = kept[steps][:, None, None, None]\n" in fixed.changed[0].after
    assert before.items() <= {each.batch: each.before for each in mended.sizes}.items()
    assert all(each.after for each in mended.sizes)
