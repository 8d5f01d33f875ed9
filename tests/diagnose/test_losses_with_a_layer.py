"""Losses that a list of names forgot: those with a layer of their own, and a third activation."""

import pytest

from tests.diagnose.snippets import diagnosed

LINEAR = "x, w, y = torch.randn(4, 6), torch.randn(5, 6), torch.zeros({target})\n"
CALL = "F.linear_cross_entropy(x, w, y{options})"


@pytest.mark.parametrize(
    ("target", "options", "code", "variant", "facts"),
    [
        ("4, 1, dtype=torch.long", "", "WS102", "column", {"rows": 4}),
        ("4, dtype=torch.int32", "", "WS502", "classes", {"dtype": "int32"}),
        # Its input has features, and no axis of classes: nothing is counted along it.
        ("4, 2, dtype=torch.long", "", "WS209", "", {}),
        ("4, dtype=torch.long", ", weight=torch.ones(6)", "WS209", "", {}),
    ],
)
def test_a_loss_with_a_linear_layer_takes_class_numbers(
    tmp_path, target, options, code, variant, facts
):
    snippet = LINEAR.format(target=target) + CALL.format(options=options)
    diagnosis = diagnosed(snippet, tmp_path)
    assert diagnosis is not None
    finding = diagnosis.finding
    assert finding.code == code
    assert not variant or finding.variant == variant
    assert facts.items() <= finding.facts.items()


def test_a_sigmoid_before_a_loss_that_applies_one_is_found(tmp_path):
    snippet = """
x, y = torch.randn(8, 3), torch.randint(0, 2, (8, 4)).float()
out = nn.Linear(3, 4)(x).sigmoid()
nn.MultiLabelSoftMarginLoss()(out, y)
"""
    diagnosis = diagnosed(snippet, tmp_path, tracing=True)
    assert diagnosis is not None
    assert (diagnosis.finding.code, diagnosis.finding.variant) == ("WS507", "sigmoid")
    assert diagnosed(snippet.replace(".sigmoid()", ""), tmp_path, tracing=True) is None
