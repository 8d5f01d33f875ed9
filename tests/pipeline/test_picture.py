"""The way of the tensors to a fault, and the call at several batch sizes."""

import pytest

from tests.report.pictures import RANKING, SILENT, SQUEEZED, pictured
from wellshaped.diagnose.fit.loss import right_at
from wellshaped.records.repair import Change, Repair
from wellshaped.verify.replay import repaired_shapes


def shown(axes) -> str:
    signs = {"fits": "", "wrong": "!", "missing": "?", "added": "+"}
    return "?" if axes is None else " ".join(f"{signs[a.state]}{a.name}{a.size}" for a in axes)


def test_lanes_go_from_the_birth_to_the_call():
    flow = pictured(RANKING).flow
    assert flow.label == "MarginRankingLoss"
    assert [lane.role for lane in flow.lanes] == ["input1", "input2", "target"]
    assert [lane.blamed for lane in flow.lanes] == [False, False, True]
    first, _, target = flow.lanes
    assert [each.operation for each in first.stages] == ["randn", "Linear", "input1"]
    assert [shown(each.axes) for each in first.stages] == ["B4 F16", "B4 F1", "B4 F1"]
    # What only counts the rows of a tensor is no part of its way.
    assert [each.operation for each in target.stages] == ["ones", "target"]
    assert (shown(target.stages[-1].axes), target.change) == ("B4 ?1", ".unsqueeze(1)")


def test_meetings_tell_the_sizes_of_the_repair_and_of_popular_ones():
    found = pictured(RANKING)
    one, *_, own = found.flow.meetings
    assert (one.batch, own.batch) == (1, 4)
    assert (own.before, own.after) == (False, True)
    assert [shown(each) for each in own.arrives] == ["B4 F1", "B4 F1", "B4 ?1"]
    assert [shown(each) for each in own.repaired] == ["B4 F1", "B4 F1", "B4 +1"]
    assert found.diagnosis.wrong[0].text.endswith(".squeeze()")
    assert (one.wrong[0], own.wrong[0]) == (False, True)


BRANCHES = """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(9, 6), nn.Embedding(7, 6)
        self.head = nn.Linear(5, 2)
    def forward(self, tokens):
        return self.head(self.words(tokens) + self.places(torch.arange(7)))

net = Net()
net(torch.zeros(4, 7).long())
"""


def test_a_lane_is_one_way_and_no_step_of_it_stands_twice():
    (lane,) = pictured(BRANCHES).flow.lanes
    steps = [each.text for each in lane.stages]
    assert not any("places" in text for text in steps[:-1])
    assert len(steps) == len(set(steps))


def test_a_layer_that_runs_when_rebuilt_holds_and_as_written_failed_where_it_stopped():
    flow = pictured(BRANCHES).flow
    assert {each.after for each in flow.meetings} == {True}
    assert [each.before for each in flow.meetings if each.batch == 4] == [False]


def test_an_axis_that_only_one_row_lacks():
    flow = pictured(SQUEEZED).flow
    before = {each.batch: (each.before, shown(each.arrives[0])) for each in flow.meetings}
    assert before == {1: (False, "?1 C5"), 2: (True, "B2 5"), 3: (True, "B3 5")}


def test_contract_of_other_sizes_is_asked_only_of_faults_it_sees():
    with pytest.warns(UserWarning, match="target size"):
        silent = pictured(SILENT).diagnosis.finding.observation
    assert right_at(silent, 64) is False
    assert right_at(silent, 9999) is None
    squeezed = pictured(SQUEEZED).diagnosis.finding.observation
    assert (right_at(squeezed, 1), right_at(squeezed, 2)) == (False, True)
    classes = pictured(
        "import torch\nfrom torch.nn import functional as F\n"
        "F.cross_entropy(torch.zeros(3, 4), torch.tensor([1, 2, 9]))"
    )
    assert right_at(classes.diagnosis.finding.observation, 2) is None


def test_change_that_cannot_be_replayed_gives_no_shape():
    observation = pictured(RANKING).diagnosis.finding.observation
    repair = Repair("", changes=(Change("target", ".view(7)"),))
    found = repaired_shapes(observation, repair, {"input1": (4, 1), "target": (4,)})
    assert found == {"input1": (4, 1), "target": None}
