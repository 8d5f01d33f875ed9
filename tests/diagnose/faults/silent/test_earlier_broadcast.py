"""Tables of pairs that stop a program later: which operation is told."""

import pytest

from tests.diagnose.snippets import diagnosed

TABLE = """
colours, density = torch.rand(6, 4, 3), nn.Linear(3, 1)(torch.randn(6, 4, 3))
weights = {made}
weights = torch.relu(1 - weights)
(weights * {other}).sum(1)
"""


@pytest.mark.parametrize(
    ("made", "other", "code"),
    [
        ("density * torch.full((4,), 0.25)", "colours", "WS302"),
        # Without the table it would not fit either.
        ("density * torch.full((4,), 0.25)", "torch.rand(6, 5, 3)", "WS222"),
        # Asked for: the axis is added in the same statement.
        ("density.squeeze(2)[:, :, None] * torch.full((4,), 0.25)", "colours", "WS222"),
        # Another number of places, and as many axes.
        ("density * torch.full((5,), 0.25)", "colours", "WS222"),
        ("density * torch.full((1, 1, 4), 0.25)", "colours", "WS222"),
    ],
)
def test_what_made_the_table_is_told_where_all_would_fit_without_it(tmp_path, made, other, code):
    found = diagnosed(TABLE.format(made=made, other=other), tmp_path)
    assert found is not None
    assert found.finding.code == code
    assert found.finding.observation.error_type == "RuntimeError"
    assert found.finding.observation.passage.place.line == (5 if code == "WS302" else 7)


def test_the_table_may_have_gone_through_layers_and_stop_a_loss(tmp_path):
    attended = """
x, y = torch.randn(6, 5), torch.randint(0, 3, (6,))
state = nn.Linear(5, 4)(x)
context = torch.bmm(state.unsqueeze(1), torch.randn(6, 4, 4))
said = nn.Linear(4, 3)(torch.tanh(context + state))
F.cross_entropy(said, y)
"""
    found = diagnosed(attended, tmp_path, tracing=True)
    assert found is not None
    assert (found.finding.code, found.finding.observation.passage.text) == (
        "WS302",
        "context + state",
    )
    code = {each.repair.changes[0].suffix for each in found.candidates}
    assert ".squeeze(1)" in code


def test_an_exception_that_the_program_caught_is_not_taken_for_the_last(tmp_path):
    caught = """
weights = nn.Linear(3, 1)(torch.randn(6, 4, 3)) * torch.full((4,), 0.25)
try:
    weights * torch.rand(6, 4, 3)
except RuntimeError:
    pass
torch.rand(2, 3) + torch.rand(2, 4)
"""
    found = diagnosed(caught, tmp_path)
    assert found is not None
    assert (found.finding.code, found.finding.observation.passage.place.line) == ("WS222", 9)
