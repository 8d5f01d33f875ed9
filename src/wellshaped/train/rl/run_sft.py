"""A run over demonstrations from its data to its result, in the order in which it happens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Final

from wellshaped.records.phrase import Phrase, Told
from wellshaped.report.narrator import Narrator
from wellshaped.train.artifacts.run_folder import enter, run_in
from wellshaped.train.artifacts.track import require_trackers
from wellshaped.train.data.bad_rows import BadRows
from wellshaped.train.distributed.processes import join
from wellshaped.train.events import EventSink, discard
from wellshaped.train.models.adapters import add_lora
from wellshaped.train.models.tiny import texts_in, tiny_tokenizer
from wellshaped.train.randomness import seed_all
from wellshaped.train.reward.start import load_tokenizer
from wellshaped.train.rl.data import Coder, Data, divided, read_demonstrations, rows_of
from wellshaped.train.rl.policy import Actor
from wellshaped.train.rl.responses import Response
from wellshaped.train.rl.result import Trained, save
from wellshaped.train.rl.sft import sft_task
from wellshaped.train.rl.start import load_policy, positions_of
from wellshaped.train.settings import Settings

_ROWS_FOR_WORDS: Final = 2000
_WORDS: Final = 512
_LOOP: dict[str, Any] = {"epochs": 1, "warmup": 0.03, "watch": "loss", "better": "lower"}
# By what is trained: a model that was trained before, an adapter on it, or a new one.
_RATES = {"whole": 2e-5, "part": 2e-4, "new": 3e-3}


@dataclass(frozen=True, kw_only=True)
class SftSettings:
    """What is read, what is trained, and how the loop goes.

    `length` is the most tokens of prompt and answer, `batch` the demonstrations of a batch in each
    process, `hold_out` the share of the data that is evaluated on where no other is given.
    """

    length: int = 512
    batch: int = 16
    hold_out: float = 0.05
    lora: int = 0
    loop: Settings = field(default_factory=Settings)

    def __post_init__(self) -> None:
        for name, least in (("length", 2), ("batch", 1), ("lora", 0)):
            got = getattr(self, name)
            if got < least:
                raise Told("WS988", "setting_range", name=name, least=str(least), got=got)
        if not 0 <= self.hold_out < 1:
            raise Told("WS988", "hold_out_share", got=self.hold_out)

    def marks(self) -> dict[str, Any]:
        """All of it by name but the loop's, as it is written into checkpoints."""
        found = asdict(self)
        del found["loop"]
        return found


def sft_settings(given: Mapping[str, Any], *, is_new: bool = False) -> SftSettings:
    """The settings from flat names, such as `learning_rate`, `batch` or `lora`."""
    left = dict(given)
    names = {each.name for each in fields(Settings)}
    loop = {name: left.pop(name) for name in tuple(left) if name in names}
    rate = _RATES["new" if is_new else "part" if left.get("lora") else "whole"]
    for name in left:
        if name not in {each.name for each in fields(SftSettings)} - {"loop"}:
            raise Told("WS988", "unknown_setting", name=name)
    return SftSettings(**left, loop=Settings(**{**_LOOP, "learning_rate": rate, **loop}))


def train_sft(
    model: str | Path | None,
    data: Data,
    *,
    out: str | Path,
    held_out: Data | None = None,
    resume: bool = False,
    skip_bad_rows: bool = False,
    trackers: tuple[str, ...] = (),
    tell: EventSink | None = None,
    **settings: Any,
) -> Trained:
    """Train a causal model on demonstrations, prompts masked out, and save it to `out`.

    `data` has rows with a `prompt` and a `response`, or `messages`, or a whole `text`. Without a
    model a small one is made. `settings` are those of `SftSettings` and its loop, by name.
    """
    chosen = sft_settings(settings, is_new=model is None)
    folder = Path(out)
    enter(folder, resume=resume)
    accelerator = join(
        precision=chosen.loop.precision, trackers=require_trackers(trackers), folder=folder
    )
    told: EventSink = (tell or Narrator()) if accelerator.is_main_process else discard
    read = prepared(model, data, held_out, chosen, skip=skip_bad_rows, tell=told)
    tokenizer, learned = read.tokenizer, read.learned
    actor = Actor(read.policy)
    # Packing is tried while the weights are whole, before they may be shared out.
    actor.packs(max(len(one.prompt) + len(one.tokens) for one in (*learned, *read.held_out)))
    work = sft_task(
        actor,
        learned,
        read.held_out,
        size=chosen.batch,
        seed=chosen.loop.seed,
        accelerator=accelerator,
    )
    ended, actor = run_in(
        folder,
        work,
        chosen.loop,
        name="sft",
        marks={"model": str(model), "data": _digest(learned), **chosen.marks()},
        accelerator=accelerator,
        tell=told,
        resume=resume,
    )
    actor.attend_as_before()
    if accelerator.is_main_process and ended.how != "interrupted":
        save(actor.model, tokenizer, folder)
        ended = replace(ended, folder=str(folder))
    accelerator.wait_for_everyone()
    told(ended)
    return Trained(actor.model, tokenizer, folder, ended)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A policy with its tokenizer, and the demonstrations to learn from and to evaluate on."""

    policy: Any
    tokenizer: Any
    learned: list[Response]
    held_out: list[Response]


def prepared(
    model: str | Path | None,
    data: Data,
    held_out: Data | None,
    settings: SftSettings,
    *,
    skip: bool,
    tell: EventSink,
) -> Prepared:
    """Load the model, and read all data; rows that cannot be used are told."""
    seed_all(settings.loop.seed)
    given: Data = data if isinstance(data, str | Path) else tuple(data)  # type: ignore[assignment]
    tokenizer = _tokenizer(given) if model is None else load_tokenizer(model, ())
    policy = load_policy(model, tokenizer)
    length = min(settings.length, positions_of(policy) or settings.length)
    coder = Coder(tokenizer, length=length, vocabulary=policy.get_input_embeddings().num_embeddings)
    learned = _read(given, coder, skip=skip, tell=tell)
    if held_out is None:
        count = round(settings.hold_out * len(learned))
        learned, others = divided(learned, count, seed=settings.loop.seed)
    else:
        others = _read(held_out, coder, skip=skip, tell=tell)
    tokens = sum(len(one.tokens) for one in learned)
    facts = {"count": len(learned), "tokens": tokens, "held": len(others)}
    tell(Phrase("demonstrations_read", facts))
    policy = add_lora(policy, settings.lora) if settings.lora else policy
    return Prepared(policy, tokenizer, learned, others)


def _tokenizer(data: Data) -> Any:
    rows = islice(rows_of(data, BadRows()), _ROWS_FOR_WORDS)
    return tiny_tokenizer((text for row in rows for text in texts_in(row.fields)), size=_WORDS)


def _read(data: Data, coder: Coder, *, skip: bool, tell: EventSink) -> list[Response]:
    bad = BadRows()
    found = read_demonstrations(data, coder, bad=bad)
    bad.settle(skip=skip, tell=tell)
    return found


def _digest(rows: list[Response]) -> str:
    mark = sha256()
    for one in rows:
        mark.update(repr((one.prompt, one.tokens)).encode())
    return mark.hexdigest()[:16]
