"""The environment variables of a dry run: that it is one, and switches of tools that look around.

A program, and whatever it calls, can ask for `WELLSHAPED_DRY_RUN`. Trackers of experiments have
switches of their own by which they neither connect nor start processes.
"""

from __future__ import annotations

from typing import Final

SURROUNDINGS: Final[dict[str, str]] = {
    "WELLSHAPED_DRY_RUN": "1",
    "WANDB_MODE": "disabled",
    "WANDB_SILENT": "true",
    "NEPTUNE_MODE": "debug",
    "CLEARML_OFFLINE_MODE": "1",
    "SWANLAB_MODE": "disabled",
    # `git status` would refresh the index, a partial clone fetch, a file watcher be started.
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "core.fsmonitor",
    "GIT_CONFIG_VALUE_0": "false",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}
