"""The English of batches, heads and training: what is wrong with data, and what a run shows."""

from __future__ import annotations

from typing import Final

# What is wrong with data, a model or a setting; the message of a `Told`.
TRAINING_MESSAGES: Final[dict[str, str]] = {
    # Heads and layers that know what is real.
    "real_unreadable": (
        "`real` is {got}: needed is a mask {wanted}, bool or whole numbers, "
        "or the length of each row"
    ),
    "mask_unreadable": "the mask is {got}: needed is bool {wanted}, where any size may be 1",
    "counted_unreadable": "`real` is {got}: needed is bool {wanted}, or its first axes only",
    "row_without_positions": (
        "row {row} has no real position: a recurrent layer has nothing to read"
    ),
    "task_shape": "`{argument}` of the task `{task}` is {got}: needed is {wanted}",
    "no_such_choice": "`{option}` is {got}: known are {known}",
    "task_options": "`{got}` is no task: known is {wanted}",
    "task_number": (
        "`{option}` of the task `{task}` is {got}: needed is a whole number from {least} on"
    ),
    "class_numbers_whole": (
        "`targets` of the task `{task}` is {got}: class numbers are whole numbers"
    ),
}

# What a run shows while it goes on, and what it came to.
TRAINING: Final[dict[str, str]] = {}
