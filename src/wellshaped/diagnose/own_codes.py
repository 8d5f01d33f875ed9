"""The codes of what this tool itself could not do: a page each, as for the faults it finds."""

from __future__ import annotations

PAGES: dict[str, tuple[str, str]] = {
    "WS901": (
        "budget-spent",
        "A run used all of its CPU time and was ended; `--budget` gives more. CPU time is counted\n"
        "with that of all threads and child processes. A run that waits uses none: one that waits\n"
        "for long is ended too. A run that stopped after loops or loaders were shortened is run\n"
        "again in full; where that does not fit into the budget, its failure is no finding.",
    ),
    "WS902": ("run-died", "A run ended abruptly, by a signal or `os._exit`, and left no result."),
    "WS903": (
        "stopped-otherwise",
        "A run was stopped by an exception that is not about shapes or dtypes.\n"
        "What lies behind that line was not checked at this batch size.",
    ),
    "WS904": (
        "batch-not-varied",
        "The program makes its batches without a `DataLoader`, and no number in it could be\n"
        "turned to make them smaller: it was run as it is, other batch sizes were not tried.",
    ),
    "WS905": (
        "not-reached",
        "No run came to these lines: a branch not taken, a function not called, or what lies\n"
        "behind the line where the program stopped. Nothing is known about them, nor about what\n"
        "ran in a child process that was started there.",
    ),
    "WS906": (
        "branch-on-stand-in",
        "Without weights a model has no values: this test was decided by a value that stands\n"
        "in for one. The other branch was not seen.",
    ),
    "WS907": (
        "broadcasts-not-listed",
        "Broadcasts are listed from a run that follows every tensor. It was ended before the\n"
        "program was, or the model runs without weights, where tensors are not followed:\n"
        "`--weights real` lets a large model have them.",
    ),
    "WS910": ("not-a-loss", "What was handed over is not a loss of torch, nor the name of one."),
    "WS911": ("not-a-tensor", "A tensor, or a `TensorFact(shape, dtype)`, is needed there."),
    "WS912": ("bad-argument", "The loss has no such argument, got one twice, or lacks one."),
    "WS913": ("other-dtype-kind", "No contract covers this dtype, such as float8 or quantised."),
    "WS914": ("bad-policy", '`on_hazard` is "raise", "warn" or "record".'),
    "WS915": (
        "sample-other-shape",
        "A sample has another number of axes, another shape after its first axis, or other\n"
        "fields than its batch needs. The first axis is the one whose size may differ.",
    ),
    "WS916": (
        "sample-other-kind",
        "A sample holds what is not a number, numbers of another dtype than its batch needs, or\n"
        "a target that its task does not know. Whole numbers may become numbers with fractions,\n"
        "never the other way round.",
    ),
    "WS917": (
        "sample-empty",
        "A sample has no steps. Nothing can be read, pooled or predicted at a step that is not\n"
        "there: such samples are taken out of the data, or get a token that says so.",
    ),
    "WS918": (
        "sample-bad-length",
        "A length is not a whole number from 1 on (NaN in a table, for one), larger than a batch\n"
        "may be, or another than that of the inputs it belongs to.",
    ),
    "WS919": (
        "bad-batch-setting",
        "A setting of `pad`, of a sampler or of a collate function cannot be what was given.",
    ),
    "WS920": (
        "no-single-reading",
        "`reconcile` found no way, or several, to align the tensors so that every row keeps\n"
        "its own target. The readings that compete are listed.",
    ),
    "WS921": ("no-class-numbers", "Numbers with fractions cannot be turned into class numbers."),
    "WS922": (
        "mask-not-readable",
        "What is real is told by a mask with the axes of the rows and positions, true or 1 where\n"
        "something is real, or by the length of each row as a whole number. A mask of floats is\n"
        "refused: it may as well be one that is added to scores, with 0 where something is real.",
    ),
    "WS923": (
        "row-without-positions",
        "A row of a padded batch has length 0. A recurrent layer has nothing to read in it: leave\n"
        "such rows out, or give them one position.",
    ),
    "WS924": (
        "other-shape-than-task",
        "A tensor has not the shape that the table of tasks gives it: `(B, 1)` is not `(B,)`, and\n"
        "nothing is broadcast.",
    ),
    "WS925": ("no-such-choice", "There is no task, pooling or reduction of this name."),
    "WS926": (
        "bad-task-options",
        "Each task has its own options, all of them whole numbers, such as\n"
        '`task("multilabel", num_labels=5)`.',
    ),
    "WS927": (
        "class-numbers-not-whole",
        "Class numbers have a whole-number dtype. Floats and bools are refused: they are more\n"
        "often scores, or several labels at once.",
    ),
    "WS930": ("no-program", "The script cannot be opened."),
    "WS931": ("no-such-code", "There is no such code; `wellshaped explain` lists them."),
    "WS932": ("bad-usage", "The command line cannot be read; `--help` shows its form."),
    "WS933": (
        "program-failed",
        "The program ended with an exception that is not about shapes or dtypes, so that it\n"
        "could not be checked or repaired. The message shows its own last frames, and what helps\n"
        "where that is known.",
    ),
    "WS934": ("no-language", "There are no words in this language; `--lang` takes en, es, ja, zh."),
    "WS935": ("report-not-written", "The file that `--report` names could not be written."),
    "WS936": (
        "unclear-option",
        "An option after the program may be meant for this command or for the program, because\n"
        "the source of the program names it too, or because it is one of another command of ours.\n"
        "What stands before the program is ours, what follows `--` is the program's:\n"
        "`wellshaped check --format json train.py -- --format csv`.",
    ),
    "WS937": (
        "folder-for-a-program",
        "A folder is a program only if it has a `__main__.py`. The message names the scripts in\n"
        "it that look like programs: name one of them, or a module with `-m`.",
    ),
    "WS938": (
        "syntax-error",
        "The script is not valid Python, so none of it can run. The message shows the line, as\n"
        "Python itself does.",
    ),
    "WS939": (
        "output-not-written",
        "The standard output could not be written, for instance because the disk is full. What\n"
        "was printed until then is not complete.",
    ),
    "WS940": (
        "refused-in-sandbox",
        "A dry run leaves no trace: network connections, other programs, signals to other\n"
        "processes and writes outside its scratch folder are refused. The note names the line\n"
        "and what was refused. Some things are not refused:\n"
        "\n"
        "- Child processes that are forked, with `os.fork`, `multiprocessing` (every start\n"
        "  method) or `concurrent.futures`: they are confined like their parent.\n"
        "- Commands that only read, such as `git rev-parse HEAD`, `nvidia-smi` or `ls`;\n"
        "  `stty size` answers `24 80`.\n"
        "- `torch.multiprocessing.spawn` and `init_process_group`: the first process runs, in a\n"
        "  group that does not communicate.\n"
        "- Experiment trackers, which are switched off: `wandb.init` returns a disabled run.\n"
        "\n"
        "A program can ask whether it is in a dry run: the environment variable\n"
        "`WELLSHAPED_DRY_RUN` is then `1`.\n"
        "\n"
        "```python\n"
        'if not os.environ.get("WELLSHAPED_DRY_RUN"):\n'
        '    subprocess.run(["wget", url])\n'
        "```",
    ),
    "WS941": (
        "no-kernel-sandbox",
        "A dry run redirects a program's writes to a scratch folder. Writes by native code, which\n"
        "Python does not see, are blocked by Landlock, part of Linux (5.19 or newer) that macOS,\n"
        "older kernels and some containers lack. There the program is not run, unless you pass\n"
        "`--no-kernel-sandbox`, call `wellshaped.check(..., kernel_sandbox=False)`, or give\n"
        "`kernel_sandbox: false` to a tool of the MCP server. The report then says so, and\n"
        "`docs/sandbox.md` lists what is not covered.",
    ),
    "WS943": (
        "hooks-not-working",
        "Losses are watched by hooks in torch's own functions. At start a call with a known\n"
        "silent broadcast goes through them, and it was not detected: nothing would be reported,\n"
        "so the command ends. Another library may have replaced the losses of torch, or this\n"
        "version of Python or torch is not supported.",
    ),
    "WS944": (
        "losses-not-watched",
        "Some losses could not be hooked: their source is not there, or another library has put\n"
        "a function of its own in their place. Silent broadcasts in calls of these losses are not\n"
        "detected; everything else is checked as usual.",
    ),
    "WS942": (
        "memory-not-private",
        "A step runs in a forked child, where memory that the caller shares with other processes\n"
        "(`mmap`, `np.memmap`, tensors in shared memory) becomes a private copy. Only Linux shows\n"
        "which memory that is. On this system a step that writes to shared memory changes it for\n"
        "the caller. Open files are private copies on every system.",
    ),
    "WS950": (
        "not-a-notebook",
        "The file is named `.ipynb` and is not a notebook of format 4: its JSON is broken, it has\n"
        "no list of cells, or it is of an older format.",
    ),
    "WS951": ("no-code-cells", "The notebook has no code cells, or none with anything in them."),
    "WS952": ("other-language", "The notebook's kernel is not one of Python."),
    "WS953": (
        "not-run-in-notebook",
        "A shell line, or a magic that only IPython knows, was left out; the rest of its cell\n"
        "ran. Of a cell that begins with such a magic (`%%bash`) nothing ran.",
    ),
    "WS954": (
        "changed-meanwhile",
        "The file was changed by somebody else while its repair was being proven; nothing was\n"
        "written. An editor that has the notebook open may save it by itself.",
    ),
    "WS955": (
        "file-not-written",
        "A repair could not be written, and every file is as it was. A file without write\n"
        "permission is not changed, not even by root: `chmod u+w` allows it. A full disk, or a\n"
        "folder where a backup cannot be created, are other reasons; the message names its own.",
    ),
    "WS956": (
        "folder-not-writable",
        "The folder that `--out` names cannot be written to, so no training was begun: a file\n"
        "has its name or that of a folder above it, permission is missing, or the file system\n"
        "is read-only. Another `--out` chooses another place.",
    ),
    "WS957": (
        "no-space-left",
        "The disk has too little space for a checkpoint, or a file of the run could not be\n"
        "written. No half-written file is left, and every checkpoint written before is whole:\n"
        "`--resume` continues from the newest one once there is space.",
    ),
    "WS960": (
        "unknown-text",
        "The text is not one of torch's about shapes or dtypes that `explain` knows: those of\n"
        "torch 2.13. A whole traceback tells more than its last line.",
    ),
    "WS961": (
        "missing-extra",
        "What was asked for works through another package, which is installed by an extra of\n"
        "this one; the message names both.",
    ),
    "WS962": (
        "job-died",
        "The language server and the server for agents do each search in another process. It was\n"
        "killed, or ended by itself: memory that ran out is the usual reason.",
    ),
    "WS963": (
        "not-saved",
        "What is checked is the file on disk, and the editor holds another text: places in the\n"
        "one would not be places in the other.",
    ),
    "WS964": (
        "not-checked-ahead",
        "Before its first step a trainer's step is tried on copies of its batch in other sizes,\n"
        "in a forked child. Here that could not be done; losses are judged in every step.",
    ),
    "WS970": ("not-a-step", "`check` takes something to call: a function, a method or a model."),
    "WS971": (
        "no-rows",
        "The example batch has no axis for its rows: no tensor with an axis, none whose first\n"
        "axis another one shares, or no rows at all.",
    ),
    "WS972": (
        "other-parameters",
        "The step cannot be called with the example batch: neither whole, nor spread over its\n"
        "parameters, nor by their names. A function of one argument can always be.",
    ),
    "WS973": ("bad-batch-size", "Batch sizes are whole numbers from 1 on."),
    "WS974": (
        "cannot-fork",
        "A step is run in a forked child, so that nothing of the caller's changes. Such a child\n"
        "has no accelerator: build the model on the CPU, in a process that has not used CUDA.",
    ),
    "WS980": ("no-data-file", "A file of training data is not there, or cannot be opened."),
    "WS981": (
        "unknown-data-format",
        "Rows are read from `.jsonl`, `.csv`, `.tsv` and `.parquet` files and from folders that\n"
        "`datasets` saved with `save_to_disk`. The last two need the extra `wellshaped[data]`.",
    ),
    "WS982": (
        "missing-column",
        "The data has no column of this name. Each task names the columns it reads; options of\n"
        "the command name others.",
    ),
    "WS983": (
        "broken-data",
        "The whole file cannot be read: it is not UTF-8 text, a quote in a CSV is never closed,\n"
        "or a table is damaged.",
    ),
    "WS984": (
        "bad-rows",
        "Some rows cannot be trained on; the first of them are listed by line, and all are\n"
        "counted by kind, before training begins. `--skip-bad-rows` trains without them.",
    ),
    "WS985": (
        "other-run",
        "The checkpoint belongs to a run with other data, another model or other settings. A run\n"
        "goes on exactly as it was begun, or not at all; another folder begins a new one.",
    ),
    "WS986": (
        "no-such-run",
        "The folder holds no trained result, or holds a run already: `--resume` goes on with it,\n"
        "and another `--out` begins a new one.",
    ),
    "WS987": ("broken-checkpoint", "The files of a checkpoint or of a result are damaged."),
    "WS988": ("bad-setting", "A setting of the run is out of its range, or is not known."),
    "WS989": (
        "loss-not-finite",
        "The loss became infinite or no number, so no further step can be taken. A smaller\n"
        "learning rate, a warm-up or a smaller clip often helps; the last checkpoint is whole.",
    ),
    "WS990": (
        "foreign-reward-head",
        "The model is a finished classifier with one label whose score is not a linear layer on\n"
        "the last token. Such a score cannot be taken over; its backbone can be trained anew.",
    ),
    "WS991": (
        "text-without-tokens",
        "A reward is read from the tokens of a text: a group without texts, or a text without\n"
        "tokens, has none. Leave it out, or give it at least its end-of-text token.",
    ),
    "WS992": (
        "no-chat-template",
        "A row holds a conversation, a list of messages with `role` and `content`. It becomes one\n"
        "text through the chat template of the tokenizer, which this one lacks: take the model\n"
        "that was tuned for chats, or data with whole texts.",
    ),
    "WS993": (
        "no-model",
        "The model or its tokenizer cannot be loaded, they do not belong together, or the model\n"
        "has no reward head yet. `--model` is a folder with the files of `transformers`, or a\n"
        "name on the hub, for which the network is needed once.",
    ),
    "WS994": (
        "unreadable-text",
        "Texts are scored as strings, as conversations that the chat template takes, or as lists\n"
        "of token ids below the size of the vocabulary. This one is none of them, or has no\n"
        "tokens.",
    ),
    "WS995": (
        "reward-failed",
        "A reward is a folder with a reward model or a function, `file.py:name`, that takes a\n"
        "list of texts. It could not be loaded, or raised; the text it failed on is shown.",
    ),
    "WS996": (
        "reward-no-number",
        "A reward gives one finite number for each text, in their order.",
    ),
    "WS997": (
        "no-policy-gradient",
        "No parameter of the policy got a gradient, though the responses had advantages: nothing\n"
        "would be learned. All of it is frozen, or the log-probabilities were cut off from it.",
    ),
    "WS998": (
        "endpoint-failed",
        "The server of `--endpoint` could not be reached, refused a request, did not get the\n"
        "weights that `--refresh` brings, or answered with something other than one completion\n"
        "for each prompt. If a run ended by it, `--resume` goes on from its last checkpoint.",
    ),
    "WS999": (
        "bad-policy-run",
        "The settings, the prompts or the tokenizer of a run of policy learning do not fit.",
    ),
}
