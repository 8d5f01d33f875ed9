"""Which activation made the input of a loss, read from its way back."""

import pytest
import torch
from torch import nn

from tests import warm
from wellshaped.diagnose.faults.values.wrong_activation.backward_graph import activation_before

SCORES = nn.Linear(4, 3)(torch.ones(8, 4))
MADE = {
    "softmax": (SCORES.softmax(1), "cross_entropy", "softmax"),
    "beneath a view": (SCORES.softmax(1).view(4, 2, 3).transpose(1, 2), "cross_entropy", "softmax"),
    "sigmoid": (SCORES.sigmoid()[:, 0], "binary_cross_entropy_with_logits", "sigmoid"),
    "log_softmax": (SCORES.log_softmax(1), "cross_entropy", None),
    "scores": (SCORES, "cross_entropy", None),
    "further back": (SCORES.softmax(1) * 2, "cross_entropy", None),
    "no way back": (SCORES.softmax(1).detach(), "cross_entropy", None),
    "a loss without": (SCORES.sigmoid(), "binary_cross_entropy", None),
}


@pytest.mark.parametrize("name", MADE)
def test_the_activation_is_read(name):
    given, loss, made = MADE[name]
    assert activation_before(loss, given) == made


def test_run_speaks_of_it_once(tmp_path):
    program = tmp_path / "train.py"
    program.write_text(
        "import torch\n"
        "import torch.nn.functional as F\n"
        "net = torch.nn.Linear(4, 3)\n"
        "for _ in range(3):\n"
        "    loss = F.cross_entropy(net(torch.ones(8, 4)).softmax(1), torch.zeros(8).long())\n"
    )
    ran = warm.run(["-m", "wellshaped", "run", "--lang", "en", program], text=True)
    assert ran.returncode == 0
    assert ran.stderr.count("error[WS507]: `cross_entropy` got probabilities") == 1
