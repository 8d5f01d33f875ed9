"""The training step of a task as a program of its own, for `wellshaped check` to run."""

from __future__ import annotations

from typing import Any

from wellshaped.nn import Task
from wellshaped.train.dry import program_of
from wellshaped.train.events import EventSink, discard
from wellshaped.train.optimizer import adamw
from wellshaped.train.randomness import seed_all
from wellshaped.train.settings import Settings
from wellshaped.train.tasks.encoding import Encoding
from wellshaped.train.tasks.fit import Plan, default_columns, default_settings, encoded
from wellshaped.train.tasks.kinds import Columns, Example
from wellshaped.train.tasks.model import RowsModel

_PROGRAM = '''\
"""What `wellshaped train KIND` does with each batch."""

from torch.utils.data import DataLoader

from wellshaped.train.tasks.dry import pieces

examples, encoding, model, task, optimizer = pieces({options})

for batch in DataLoader(examples, batch_size={batch}, collate_fn=encoding.batch):
    outputs = model(batch)
    loss = task.loss(outputs, batch.targets, batch.real)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
'''


def program_text(plan: Plan, settings: Settings, *, tell: EventSink = discard) -> str:
    """The source of the program, after its data was read as a run would read it."""
    encoded(plan, settings, tell=tell)
    columns = plan.columns or default_columns(plan.kind)
    options = {
        "kind": plan.kind,
        "data": plan.data,
        "text": columns.text,
        "features": columns.features,
        "targets": columns.targets,
        "level": columns.level,
        "width": plan.width,
        "layers": plan.layers,
        "seed": settings.seed,
    }
    return program_of(_PROGRAM.replace("KIND", plan.kind), options, batch=plan.batch)


def pieces(
    *, kind: str, data: Any, width: int, layers: int, seed: int, **columns: Any
) -> tuple[list[Example], Encoding, RowsModel, Task, Any]:
    """What the program needs, as the command makes it; rows that are bad are left out."""
    settings = default_settings(kind, seed=seed)
    plan = Plan(kind=kind, data=data, columns=Columns(**columns), skip_bad_rows=True)
    examples, _, encoding = encoded(plan, settings, tell=discard)
    seed_all(seed)
    model = RowsModel(encoding, width=width, layers=layers)
    return examples, encoding, model, encoding.task(), adamw(model, settings)
