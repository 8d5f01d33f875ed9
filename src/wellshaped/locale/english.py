"""The English that no rule owns, by name: labels, notes, progress and our own messages."""

from __future__ import annotations

from typing import Final

# Words beside and under the parts of a diagnosis.
LABELS: Final[dict[str, str]] = {
    "error": "error",
    "warning": "warning",
    "note": "note",
    "safe": "safe",
    "changes_results": "changes results",
    "choice": "choice",
    "vary": "write `{after}` instead of `{before}`",
    "means": "means",
    "right_if": "right if",
    "needs": "needs",
    "got": "got",
    "why": "why",
    "born": "born",
    "value": "value",
    "fix": "fix",
    "verified": "verified",
    "not_this": "not this",
    "caution": "caution",
    "more": "more",
    "torch": "torch",
    "batch": "batch",
    "before": "before",
    "after": "after",
    "size_holds": "holds",
    "size_fails": "fails",
    "inside": "in {function}",
    "no_exception": "(no exception was raised)",
    "called_from": "(called from here)",
    "born_here": "(where the axis comes from)",
    "sizes": "sizes",
    "size_is": "{size} comes from `{code}` ({where})",
    "size_follows": "{size} follows from {value} in `{code}` ({where})",
    "changed_here": "(changed here, the program runs)",
    "built_here": "(where the layer is built)",
    "cut_here": "(where the graph is cut)",
    "made_here": "(where the tensor is made)",
    "values": "{written} as written, {rows} row by row, on this batch",
    "proof_raised": "B = {sizes}: runs, and equals the row-by-row loss",
    "proof_module": "B = {sizes}: runs, and each row comes out as it does alone",
    "proof_operation": "B = {sizes}: runs, and rows stay apart",
    "proof_ran": "B = {sizes}: equals the row-by-row loss",
    "same_at_one": "at B = 1 the faulty call gives the same value: test with B > 1",
    "still_fails": "after this the program gets further and still fails, at {where} ({code}): "
    "it is not proven, and not applied",
    "times": "the hazard was seen here {count} times",
    "wrong_batch_axis": "`{text}` fails at B = {sizes}: the batch axis goes too",
    "wrong_only_at": "`{text}` works at B = {sizes} only",
    "wrong_never": "`{text}` fails at every batch size",
    "fails_at": "fails at B = {sizes}",
    "holds_at": "holds at B = {sizes}",
    "not_run_at": "not run at B = {sizes}",
    "size_not_run": "not run",
    "remedy": "remedy",
    "remedy_package": "a script that imports from its own package is run as a module: in "
    "`{folder}`, `wellshaped {command} -m {module}`",
    "remedy_hub": "a dry run reads the Hugging Face cache and opens no connection: run the "
    "program once, or download what it loads with `hf download`",
    "remedy_hub_named": "a dry run reads the Hugging Face cache and opens no connection, and "
    "`{name}` is not there: run `hf download {download}`, or the program once",
    "remedy_connection": "a dry run opens no connection (`{host}` was refused): run the program "
    "once, so that what it downloads is there, or give it local files",
    "remedy_module": "`{module}` is not installed in the Python that runs wellshaped, {python}: "
    "install it there, or wellshaped in the environment of the program",
    "remedy_folder": "`{file}` is not in the current folder, {here}, but beside the program: "
    "run the command in {folder}",
    "remedy_arguments": "write the arguments of the program after its name: "
    "`wellshaped {command} {program} ARGUMENT ...`",
    "check_this": "wellshaped: check this program (runs it in a sandbox)",
    "with_others": "{title}, as one of {count} repairs that stand on each other",
    # Phrases that several rules put into their sentences and tables.
    "in_layer": "`{label}` (layer `{layer}`)",
    "one_shape_for_both": "one shape for both",
    "one_shape_for_all": "one shape for all",
    "broadcast_to": "broadcast to {shape}",
    "elements": "{count} elements",
    # What lets a dry run go on where it refused something.
    "remedy_network": "a dry run reads what is on disk: download it first, or skip this line when "
    "the environment variable `WELLSHAPED_DRY_RUN` is set",
    "remedy_process": "run it before the check, or skip this line when the environment variable "
    "`WELLSHAPED_DRY_RUN` is set",
    "remedy_signal": "skip this line when the environment variable `WELLSHAPED_DRY_RUN` is set",
    "remedy_write": "write the file with Python's own functions, which a dry run redirects, or "
    "skip this line when the environment variable `WELLSHAPED_DRY_RUN` is set",
}

# Why something was not checked.
NOTES: Final[dict[str, str]] = {
    "late_own": "batch size of its own: the run used all of its CPU time and was ended",
    "late": "batch size {size}: the run used all of its CPU time and was ended",
    "waited_own": "batch size of its own: the run used little CPU time for too long and was ended",
    "waited": "batch size {size}: the run used little CPU time for too long and was ended",
    "unsettled_own": "batch size of its own: stopped by {error} after loops were shortened; "
    "not confirmed, for a run in full does not fit into the budget",
    "unsettled": "batch size {size}: stopped by {error} after loops were shortened; "
    "not confirmed, for a run in full does not fit into the budget",
    "died_own": "batch size of its own: the run ended abruptly: {error}",
    "died": "batch size {size}: the run ended abruptly: {error}",
    "stopped_own": "batch size of its own: stopped by {error}",
    "stopped": "batch size {size}: stopped by {error}",
    "memory_not_private": "shared memory of the caller is not protected on this system",
    "refused": "the dry run refuses `{action}`: {target}; {remedy}",
    "unwatched": "a child process was started here; what it ran was not checked",
    "first_rank": "only the first of {count} processes was run",
    "stopped_here": "the run stopped here; what follows was not reached",
    "unreached": "not reached",
    "unreached_in": "not reached of `{function}`",
    "unreached_to": "up to line {end} not reached",
    "unreached_to_in": "up to line {end} not reached of `{function}`",
    "stand_in": "a branch was taken on a stand-in value",
    "broadcasts_not_listed": "broadcasts are not listed to the end of the run",
    "no_loader": "no data loader: batch sizes were not varied",
    "no_loader_yet": "batch sizes were not varied: no data loader gave a batch before the end",
    "no_knob": "nothing in the program sets its batch size",
    "other_number": "with another number than {value} here the rest of the program does not fit",
    "number_unsettled": "runs with another number than {value} here stopped for reasons other "
    "than shapes: batch sizes were not varied",
    "losses_not_watched": "these losses are not watched: {names}",
    "not_run": "not run: `{text}`",
    "without_landlock": "Landlock did not confine the program: writes by native code were not "
    "blocked",
}

# What a long command is doing, and what it came to.
SUMMARIES: Final[dict[str, str]] = {
    "checking": "checking {what}",
    "as_it_is": "as it is",
    "without_weights": "as it is, without weights",
    "in_full": "as it is, in full",
    "short_loaders": "as it is, with short loaders",
    "at_sizes": "at batch sizes {sizes}",
    "turned": "with {value} turned to {sizes}",
    "turned_named": "with `{name}` {value} turned to {sizes}",
    "repair": "repair {number}",
    "size": "batch size {size}",
    "size_own": "its own batch size ({sizes})",
    "size_unknown": "its own batch size",
    "run_finished": "{which}: finished",
    "run_finished_short": "{which}: finished (repeated iterations left out)",
    "run_failed": "{which}: failed: {cause} ({code})",
    "run_stopped": "{which}: stopped: {cause} ({code})",
    "run_late": "{which}: out of budget: {cause} ({code})",
    "run_waited": "{which}: little CPU time used for too long: {cause} ({code})",
    "run_died": "{which}: ended abruptly: {cause} ({code})",
    "run_passed_over": "; passed over {where}, which needs more than one row in training",
    "nothing_found": "no shape mistakes found",
    "found": "{count} found",
    "incomplete": "incomplete: nothing was found in what ran",
    "found_incomplete": "{count} found; incomplete",
    "more_unreached": "{count} more places not reached; `--format json` lists all",
    "broadcasts": "{count} broadcasts",
    "broadcast_pairs": "rows of the batch with rows of the batch, every pair of them",
    "broadcast_ranks": "tensors of the batch, one with fewer axes",
    "broadcast_both": "each stretched against the other",
    "broadcast_one": "one stretched to the other",
    "broadcast_weights": "a parameter stretched over data",
    "repair_of": "repair {number} of {count}",
    "nothing_to_repair": "nothing to repair",
    "backup_kept": "backup of {file}: {backup}",
    "owner_not_kept": "the owner of {file} could not be kept: it was {before} and is {after}",
    "mode_not_kept": "the mode of {file} could not be kept: it was {before} and is {after}",
    "attribute_not_kept": "the attribute {before} of {file} could not be kept",
    "unwritten_one": "{count} fix verified, nothing written (use `--apply`)",
    "unwritten_many": "{count} fixes verified, nothing written (use `--apply`)",
    "unwritten_unsafe_one": "{count} fix verified, nothing written: it changes results "
    "(use `{option}`)",
    "unwritten_unsafe_many": "{count} fixes verified, nothing written: they change results "
    "(use `{option}`)",
    "unsafe_too": "{count} of them only with `--unsafe`, because results change",
    "verified_one": "{count} fix verified, nothing written",
    "verified_many": "{count} fixes verified, nothing written",
    "written_one": "{count} fix written to {files}",
    "written_many": "{count} fixes written to {files}",
    "not_written_one": "{count} not written: it changes results (use `--unsafe`)",
    "not_written_many": "{count} not written: results change (use `--unsafe`)",
    "interrupted": "interrupted",
    "terminated": "ended by {signal}",
    "no_fix": "no fix found for {left} of {all} findings",
    "choices_one": "{count} finding has choices: take one with `--apply --pick CODE:N`",
    "choices_many": "{count} findings have choices: take one of each with `--apply --pick CODE:N`",
    "which": "which repair of {code}? 1 to {count}, or Enter for none: ",
}

# What we say of a command that cannot be carried out.
MESSAGES: Final[dict[str, str]] = {
    "no_such_file": "cannot open the program `{file}`: no such file",
    "no_landlock": "Landlock (Linux 5.19 or later) is not available here, so writes by native "
    "code cannot be blocked and the program was not run; `--no-kernel-sandbox`, or "
    "`kernel_sandbox=False` in a call, runs it without that protection",
    "no_fork": "a dry run needs Linux or macOS; on Windows, use it in WSL, or use `wellshaped run`",
    "cannot_run": "the program could not be run: {error}",
    "refused_at": "{place}: the dry run refuses `{action}`: {target}; {remedy}",
    "cannot_run_at": "the program could not be run: {error} ({file}:{line})",
    "cannot_parse": "the program could not be parsed: {error} ({file}:{line}:{column})",
    "cannot_parse_whole": "the program `{file}` could not be parsed: {error}",
    "is_folder": "`{file}` is a folder without `__main__.py`; name a script in it",
    "is_folder_with": "`{file}` is a folder without `__main__.py`; these look like programs: "
    "{scripts}",
    "hooks_do_not_work": "losses cannot be watched with Python {python} and torch {torch}: "
    "a known silent broadcast was not detected",
    "bad_pick": "`--pick` takes a number, a code with a number such as `WS205:2`, or `best`, not "
    "{text}",
    "no_such_pick": "{code} has {count} choices, so `--pick {code}:{number}` names none; nothing "
    "was written",
    "bad_sizes": "batch sizes are numbers from 1 on, not {text}",
    "bad_budget": "a budget is a number of CPU seconds greater than 0, not {text}",
    "no_rule": "no rule has the code `{code}`; see `wellshaped explain`",
    "no_program": "no program given; usage: {usage}",
    "no_module": "no module given after `-m`; usage: {usage}",
    "cannot_open": "cannot open the program `{file}`: {reason}",
    "cannot_write": "`{file}` could not be written: {reason}; nothing was changed",
    "not_a_plain_file": "`{file}` is not a regular file; nothing was changed",
    "no_write_permission": "`{file}` has no write permission; nothing was changed",
    "not_restored": "`{file}` could neither be written nor restored; `{copy}` holds it as it was",
    "file_changed": "{file} has changed since it was read",
    "cell_gone": "{file} has no code cell {number} any more",
    "broken_json": "`{file}` is not a notebook: its JSON is broken at line {line}, column {column}",
    "not_utf8": "`{file}` is not a notebook: it is not UTF-8 text",
    "too_nested": "`{file}` is not a notebook: too deeply nested",
    "no_nbformat": "`{file}` is not a notebook: it names no `nbformat`",
    "no_cells": "`{file}` is not a notebook: it has no list of cells",
    "other_nbformat": "`{file}` has notebook format {found}; only format {read} is read "
    "(`jupyter nbconvert --to notebook --nbformat {read}` converts it)",
    "no_code_cells": "`{file}` has no code cells",
    "other_language": "`{file}` is a notebook of {language}, not of Python",
    "cannot_report": "the report could not be written to `{file}`: {error}",
    "cannot_print": "the output could not be written: {error}",
    "show_formats": "`--show` goes with text only",
    "broadcast_formats": "broadcasts are listed as text or json",
    "usage": "{detail}; see `{program} --help`",
    "ambiguous_option": "`{option}` after the program may be the program's own ({file}:{line}) "
    "or that of `wellshaped {command}`: write `{ours}` or `{theirs}`",
    "other_command": "`{option}` is an option of `wellshaped {other}`, not of "
    "`wellshaped {command}`; if it is the program's own, write it after `--`",
    "no_language": "there is no language `{asked}`; there are {known}",
    "missing_extra": "`{package}` is not installed: `pip install 'wellshaped[{extra}]'`",
    "job_died": "the process that was to do this ended with status {status} and left no result",
    "not_saved": "`{file}` has changes that are not saved; save it, then check it",
    "not_ahead": "the first step was not tried at other batch sizes: {error}",
    "distributed": "several processes train together, and a copy of one would wait for the others",
}
