"""The shapes of expressions and layers are those that were computed, each once for each line."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from wellshaped.observe.shapes import recorded_shapes


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(5, 4, batch_first=True)
        self.head = nn.Sequential(nn.Linear(4, 3), nn.ReLU())

    def forward(self, rows):
        states, last = self.rnn(rows)
        return self.head(states.mean(1) + last[-1])


def doubled(value):
    return value * 2


def seen(record):
    return [
        (each.name, [[str(fact) for fact in facts] for facts in each.seen])
        for each in record.result().expressions
    ]


def test_expressions_variables_and_results_of_models():
    net, rows = Net(), torch.zeros(2, 7, 5)
    with recorded_shapes() as record:
        scores = net(rows)
        loss = F.cross_entropy(scores, torch.tensor([0, 2]))
        loss.backward()
    assert seen(record) == [
        ("rows", [["(2, 7, 5) float32"]]),
        ("states, last", [["(2, 7, 4) float32", "(1, 2, 4) float32"]]),
        ("states", [["(2, 7, 4) float32"]]),
        ("states.mean(1)", [["(2, 4) float32"]]),
        ("last", [["(1, 2, 4) float32"]]),
        ("last[-1]", [["(2, 4) float32"]]),
        ("states.mean(1) + last[-1]", [["(2, 4) float32"]]),
        ("self.head(states.mean(1) + last[-1])", [["(2, 3) float32"]]),
        ("rows", [["(2, 7, 5) float32"]]),
        ("scores", [["(2, 3) float32"]]),
        ("torch.tensor([0, 2])", [["(2,) int64"]]),
        ("loss", [["() float32"]]),
    ]


def test_an_expression_keeps_its_different_shapes():
    with recorded_shapes() as record:
        for size in (4, 4, 3):
            torch.zeros(size).relu()
    assert seen(record) == [
        ("torch.zeros(size)", [["(4,) float32"], ["(3,) float32"]]),
        ("torch.zeros(size).relu()", [["(4,) float32"], ["(3,) float32"]]),
    ]


def test_what_a_function_gave_is_seen_where_it_is_used():
    with recorded_shapes() as record:
        twice = doubled(torch.zeros(3))
        twice.sum()
    assert ("twice", [["(3,) float32"]]) in seen(record)


def test_what_libraries_compute_inside_is_not_shown():
    parameters = [nn.Parameter(torch.zeros(3))]
    with recorded_shapes() as record:
        nn.Linear(2, 6)
        optimizer = torch.optim.SGD(parameters, lr=0.1)
        parameters[0].grad = torch.ones(3)
        optimizer.step()
    assert [name for name, _ in seen(record)] == ["parameters[0].grad"]


def test_layers_have_their_paths_shapes_and_parameters():
    net, rows = Net(), torch.zeros(2, 7, 5)
    with recorded_shapes() as record:
        net(rows)
        net(rows[:1])
        nn.MSELoss()(rows, rows)
    (model,) = record.result().models
    assert model.place.function == "test_layers_have_their_paths_shapes_and_parameters"
    assert [
        (each.depth, each.path, each.kind, str(each.outputs[0]), each.parameters)
        for each in model.layers
    ] == [
        (0, "", "Net", "(2, 3) float32", 147),
        (1, "rnn", "GRU", "(2, 7, 4) float32", 132),
        (1, "head", "Sequential", "(2, 3) float32", 15),
        (2, "head.0", "Linear", "(2, 3) float32", 15),
        (2, "head.1", "ReLU", "(2, 3) float32", 0),
    ]


def test_a_model_that_raises_shows_what_its_layers_got():
    with recorded_shapes() as record:
        with pytest.raises(RuntimeError):
            nn.Sequential(nn.Linear(2, 3))(torch.zeros(4, 9))
        nn.Linear(2, 3)(torch.zeros(4, 2))
    failed, whole = record.result().models
    assert [(each.inputs[0].shape, each.outputs) for each in failed.layers] == [((4, 9), ())] * 2
    assert [each.outputs[0].shape for each in whole.layers] == [(4, 3)]
