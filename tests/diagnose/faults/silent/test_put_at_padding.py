"""Where a score belongs that was put on padding: what is written instead."""

import pytest

from tests.diagnose.snippets import diagnosed

ROLLOUT = """
mask = torch.tensor([[1.0, 1, 1, 0, 0], [1, 1, 1, 1, 1], [1, 1, 0, 0, 0]])
net, scores = nn.Linear(2, 1), torch.tensor([1.0, 2.0, 3.0])
logprobs = net(torch.randn(3, 5, 2)).squeeze(-1)
rewards = torch.zeros(3, 5)
{put}
(-(logprobs * rewards * mask).sum() / mask.sum()).backward()
"""
ENDS = "mask.sum(1).long() - 1"
PUT = {
    "rewards[:, -1] += scores": f"rewards[torch.arange(len(rewards)), {ENDS}]",
    "rewards[:, 4] = scores": f"rewards[torch.arange(len(rewards)), {ENDS}]",
    "for i in range(3): rewards[i, -1] = scores[i]": f"rewards[i, ({ENDS})[i]]",
    "rewards[:, -1:] = scores[:, None]": None,
    "rewards = F.pad(scores[:, None], (4, 0))": None,
}


@pytest.mark.parametrize("put", PUT)
def test_the_last_real_position_is_written(put, tmp_path):
    found = diagnosed(ROLLOUT.format(put=put), tmp_path)
    assert found is not None
    assert found.finding.code == "WS308"
    edits = found.proposals[0].repair.edits
    assert [each.text for each in edits] == ([PUT[put]] if PUT[put] else [])


@pytest.mark.parametrize("put", ["rewards[:, -1] = 0.0", "rewards[:, 1] = scores * 0"])
def test_nothing_put_there_is_no_score(put, tmp_path):
    assert diagnosed(ROLLOUT.format(put=put), tmp_path) is None


def test_a_step_of_a_loop_is_no_last_position(tmp_path):
    steps = "for t in reversed(range(5)): rewards[:, t] = scores * (t + 1)"
    assert diagnosed(ROLLOUT.format(put=steps), tmp_path) is None
