"""The English of batches, heads and training: what is wrong with data, and what a run shows."""

from __future__ import annotations

from typing import Final

# What is wrong with data, a model or a setting; the message of a `UserError`.
TRAINING_MESSAGES: Final[dict[str, str]] = {
    # Batches: samples by their index.
    "sample_without_axis": "sample {index} is a single number; a sequence has an axis of steps",
    "sample_shape": "sample {index} has shape {got}; its batch needs {needed}",
    "sample_uneven": "sample {index} is ragged itself: its steps differ in shape or dtype",
    "sample_not_fields": "sample {index} is a `{got}`; its batch needs fields by name",
    "sample_lacks_field": "sample {index} has no field `{field}`",
    "sample_not_nested": "sample {index} is a `{got}`; its batch needs a list of sequences",
    "sample_not_numbers": "sample {index} holds a `{got}`, which is not a number",
    "sample_too_large": "sample {index} holds {got}, which is too large for an int64",
    "sample_dtype": "sample {index} is {got}; its batch needs {needed}",
    "sample_empty": "sample {index} is empty",
    "sample_length": "the length of sample {index} is {got}, not a whole number from 1 on",
    "sample_over_budget": (
        "sample {index} has {got} steps with its padding; `max_tokens` allows {most}"
    ),
    "sample_parts": "sample {index} does not consist of {needed}",
    "sample_zero_one": "sample {index} has the target {got}, which is neither 0 nor 1",
    "sample_not_finite": "sample {index} has the target {got}, which is not a finite number",
    "sample_class": "sample {index} has the class number {got}; they go from 0 to {last}",
    "sample_repeats": "sample {index} repeats a label; rows of 0 and 1 are announced by `given`",
    "sample_begins": "sample {index} begins with {got}, the `bos` that the decoder puts there",
    "sample_targets": "sample {index} has {got} targets for {needed} steps",
    "setting_count": "`{name}` is a whole number from {least} on, not {got}",
    "setting_fill": "`fill` is {got}, which {dtype} cannot hold",
    "setting_batch_or_tokens": "either `batch_size` or `max_tokens` is needed, and not both",
    "setting_rank": "`rank` is {rank}; it is smaller than `world_size`, here {world_size}",
    # Heads and layers that know what is real.
    "real_unreadable": (
        "`real` is {got}: needed is a mask {wanted}, bool or whole numbers, "
        "or the length of each row"
    ),
    "length_beyond": "row {row} has length {got}: the number of positions is {size}",
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
    "task_word": "`{option}` of the task `{task}` is {got}: its words have numbers 0 to {last}",
    "class_numbers_whole": (
        "`targets` of the task `{task}` is {got}: class numbers are whole numbers"
    ),
    # Rows of files.
    "no_data_file": "cannot open the data `{file}`: no such file",
    "not_a_dataset": "`{file}` is a folder, and not one that `datasets` saved",
    "unknown_format": "`{file}` has a name that says no known format; these do: {known}",
    "several_splits": "`{file}` holds several splits; name one of them: {known}",
    "needs_extra": "`{file}` is read through `{module}`: `pip install 'wellshaped[{extra}]'`",
    "missing_column": "`{file}` has no column `{column}`; it has {known}",
    "data_not_utf8": "`{file}` is not UTF-8 text: line {line}",
    "broken_csv": "`{file}` is not a CSV: the quotes of the row at line {line} do not match",
    "broken_table": "`{file}` is damaged, or not what its name says",
    "bad_rows": "{count} of {rows} rows cannot be trained on; `--skip-bad-rows` leaves them out",
    "no_rows_left": "no rows are left to train on, of {rows}",
    # Checkpoints and settings.
    "other_run": "`{folder}` belongs to another run: `{name}` was {then} and is {now}",
    "other_processes": "`{folder}` was written by {then} processes, and {now} run now",
    "broken_checkpoint": "`{folder}` is damaged and cannot be read",
    "run_exists": "`{folder}` holds a run already; `--resume` goes on with it",
    "out_not_a_folder": "nothing can be written to `{folder}`: `{place}` is not a folder",
    "out_not_writable": "nothing can be written to `{folder}`: {reason}",
    "out_no_space": "a run needs at least {needed}, and {free} are free in `{folder}`",
    "checkpoint_no_space": (
        "a checkpoint of this run needs {needed}, and {free} are free in `{folder}`"
    ),
    "file_not_written": "`{file}` could not be written: {reason}",
    "run_not_written": (
        "a file in `{folder}` could not be written: {reason} ({free} free); "
        "`--resume` continues from step {step}"
    ),
    "run_not_begun": (
        "a file in `{folder}` could not be written: {reason} ({free} free); "
        "there is no checkpoint yet"
    ),
    "no_result": "`{folder}` holds no trained result",
    "other_kind": "`{folder}` holds a result of `{got}`, not of `{wanted}`",
    "setting_range": "`{name}` is a number from {least} on, not {got}",
    "setting_choice": "`{name}` is one of {known}, not `{got}`",
    "nothing_trained": "the model has no parameters that are trained",
    "no_fp16": "float16 needs a GPU; `bf16` works on every device",
    "needs_deepspeed": "DeepSpeed is not installed: `pip install 'wellshaped[deepspeed]'`",
    "broken_deepspeed": "the configuration of DeepSpeed cannot be read: {error}",
    "no_deepspeed_setting": (
        "`{name}` in the configuration of DeepSpeed is not supported, or an option of this "
        "command sets it: leave it out"
    ),
    "no_deepspeed_stage": "DeepSpeed shares out in its stages 1, 2 and 3, not in stage {stage}",
    "no_deepspeed_fp16": "float16 is not trained through DeepSpeed; `bf16` is",
    "no_fsdp1": "FSDP is used by its version 2: `fsdp_version: 2` in the configuration",
    "no_tracker": "the tracker `{name}` is not installed",
    "no_such_metric": "the evaluation gives no `{name}`; it gives {known}",
    "no_inputs": "there is nothing to train on: neither a text nor features",
    "setting_share": "`{name}` is a share between 0 and 1, not {got}",
    "setting_even": "`{name}` is an even number from 2 on, not {got}",
    "resume_without_folder": "a run goes on from its folder, and none is given",
    "no_such_option": "there is no option `{name}`; there are {known}",
    "too_few_names": "the rows name {count} classes, labels or tags; {least} are needed",
    "row_without_column": "row {line} has no `{column}`",
    "row_not_usable": "row {line} cannot be used: {reason}",
    "loss_not_finite": "the loss is not a finite number at step {step}",
    # Preferences, and the models that learn from them.
    "no_chat_template": (
        "the data holds conversations, and the tokenizer has no chat template for them"
    ),
    "length_too_small": "`length` is {length}: a text needs at least {least} tokens",
    "lora_or_freeze": (
        "`lora` puts adapters into the backbone and `freeze` leaves it as it is: choose one"
    ),
    "lora_needs_peft": "adapters need `peft`: `pip install 'wellshaped[lora]'`",
    "no_checkpointing": "`{model}` keeps its states: `checkpointing` is not for it",
    "hold_out_share": "`hold_out` is a share from 0 to below 1, not {got}",
    "unknown_setting": "there is no setting `{name}`",
    "no_model_folder": "there is no folder `{model}`",
    "not_in_cache": (
        "`{model}` is no folder, the cache of the hub does not hold it, and the hub does not answer"
    ),
    "no_tokenizer": "cannot load a tokenizer from `{model}`: {error}",
    "no_model": "cannot load a model from `{model}`: {error}",
    "more_tokens": "the tokenizer knows {tokens} tokens, and the model {size}",
    "text_unreadable": (
        "text {place}, of type {type}, cannot be scored: needed is text, a list of messages, or "
        "token ids that the model knows"
    ),
    "no_reward_head": "`{model}` has no reward head; `wellshaped train reward` trains one",
    # Reward models.
    "text_without_tokens": "group {group} has no text, or one without tokens: it has no reward",
    "foreign_reward_head": (
        "`{model}` makes its score of the first token, or by layers of its own: its head cannot be "
        "taken over"
    ),
    # Policies.
    "no_reward": "the reward `{name}` cannot be loaded: {error}",
    "reward_not_callable": "the reward `{name}` is not a function",
    "reward_failed": "the reward failed with {error} on the text {text}",
    "reward_failed_together": "the reward failed with {error} on {texts} texts, on none alone",
    "reward_count": "the reward gave {scores} scores for {texts} texts",
    "reward_not_finite": "the reward gave {score} for the text {text}",
    "no_policy_gradient": (
        "none of the {parameters} trained parameters of the policy got a gradient"
    ),
    "endpoint_count": "the server gave {got} completions for {asked} prompts",
    # Servers, and those who ask them.
    "server_url": "`{url}` is no address of a server, as `http://127.0.0.1:8000/v1` is one",
    "server_silent": "the server at {url} does not answer: {error}",
    "server_refused": "the server at {url} refused with status {status}: {said}",
    "server_unreadable": "the answer of the server at {url} cannot be read: {error}",
    "server_no_model": "the server at {url} has no model `{name}`; known are {known}",
    "refresh_alone": "`refresh` brings weights to the server of `endpoint`, and none is given",
    "refresh_no_folder": "`{command}` has no `{{folder}}`: it would not know where the policy is",
    "refresh_failed": "`{command}` did not bring the weights to the server: {error}",
    "no_end_token": "the tokenizer has no end token, so that no response could end",
    "no_prompts": "there are no prompts to be answered",
    "no_room_for_prompts": (
        "responses of {length} tokens leave no room for a prompt in the {positions} of the model"
    ),
    "plan_unreadable": "cannot read the plan `{file}`: {error}",
    "plan_unknown": "the plan has no `{name}`; known are {known}",
    "plan_lacks": "the part `{stage}` of the plan has no `{name}`",
    "minibatch_too_large": (
        "`minibatch` is {minibatch}, more than the {responses} responses of an update"
    ),
}

# What a run shows while it goes on, and what it came to.
TRAINING: Final[dict[str, str]] = {
    # Why a row is bad.
    "row_lacks": "has no `{column}`",
    "row_broken_json": "is not JSON, from column {column} on",
    "row_no_object": "is JSON, and not an object with names",
    "row_fields": "has {got} fields, and the header {wants}",
    "row_empty_answer": "has an empty `{column}`",
    "row_equal_pair": "has the same answer as `chosen` and as `rejected`",
    "row_equal_tokens": "has answers that are the same tokens",
    "row_equal_cut": "has answers that become the same when cut to {length} tokens",
    "row_wrong_type": (
        "has {type} as `{column}`: needed is text, a list of messages or of token ids"
    ),
    "row_other_type": "has {type} as `{column}`, and `chosen` is of another kind",
    "row_no_number": "has {value} as `{column}`: needed is a finite number",
    "row_negative_weight": "has the weight {value}: needed is a number from 0 on",
    "row_margin_count": "has {got} margins for {wants} rejected answers",
    "row_template": "is refused by the chat template: {error}",
    "row_unknown_token": "has the token {token}, and the model knows those below {size}",
    "row_no_text": "has no text to score: neither `text` nor `chosen`",
    # What the length took from preferences.
    "cut_prompts": "prompts cut from the left to fit into {length} tokens: {count} of {rows}",
    "cut_answers": (
        "answers of more than {length} tokens, cut before their end: {count}, at {places}"
    ),
    "full_prompts": "prompts that fill all {length} tokens by themselves: {count}, at {places}",
    "comparisons_read": "pairs to train on: {pairs}, of {tokens} tokens; pairs held out: {held}",
    "row_empty_text": "`{column}` is empty",
    "row_not_text": "`{column}` is not text: {got}",
    "row_no_label": "`{column}` is not a label",
    "row_not_number": "`{column}` is not a finite number: {got}",
    "row_not_list": "`{column}` is not a list of names",
    "row_tag_count": "has {tokens} tokens and {tags} tags",
    # Policies.
    "demonstrations_read": (
        "{count} demonstrations to learn from, {tokens} tokens of answers; {held} held out"
    ),
    "kl_not_exact": (
        "tokens are not drawn from the policy itself: the KL that is shown and paid is not exact"
    ),
    "server_is_refreshed": (
        "the server at {url} writes the responses; `{command}` brings the weights to it"
    ),
    "server_keeps_weights": (
        "the server at {url} keeps its weights: whatever the policy learns, it writes as at the "
        "start; `--refresh` brings it new ones"
    ),
    "stage_sft": "1 of 3: the policy learns from demonstrations",
    "stage_reward": "2 of 3: a reward model learns from preferences",
    "stage_policy": "3 of 3: the policy is improved by rewards",
    "stage_done": "`{stage}` is there already",
    # The bad rows of all files.
    "bad_row": "{place}: {reason}",
    "bad_rows_alike": "{count} like this: {reason}",
    "bad_rows_counted": "{count} of {rows} rows are bad",
    # The line that tells where a run is.
    "progress_step": "step {step}/{steps}",
    "progress_loss": "loss {value}",
    "progress_speed": "{count} tokens/s",
    "progress_padding": "padding {percent} %",
    "progress_shared": "shared {percent} %",
    "progress_left": "{time} left",
    "evaluated": "step {step}: {values}",
    "run_goes_on": "goes on after step {step}",
    "run_begins": "there is no checkpoint to go on from: the run begins at its first step",
    "run_finished": "finished after {step} steps",
    "run_stopped_early": "stopped early after {step} steps: no better for {patience} evaluations",
    "run_interrupted": "interrupted after {step} steps; `--resume` goes on from there",
    "run_failed": "failed after {step} steps: {error}",
    "run_best": "best at step {step}: {values}",
    "run_saved": "saved to {folder}",
    # Why a batch is computed the long way.
    "short_cut_differs": (
        "without the short cut `{short_cut}`: it would change results or gradients by {difference}"
    ),
    "short_cut_refused": "without the short cut `{short_cut}`: the model raised `{error}`",
    "short_cut_no_block": "without the short cut `{short_cut}`: the last block was not found",
    # The curves of a run.
    "curves_title": "the curves of the run",
    "curve_step": "step",
    "curve_train": "training",
    "curve_evaluation": "evaluation",
}
