"""Checkpoints as folders that are whole or not there: the last few of them, and the best.

A run may be killed, or its disk be full, at any moment. A checkpoint is written as a draft and
renamed when it is on the disk, so a folder of the right name is a whole one. Weights
are safetensors; all else that a run goes on from is one file of tensors and plain values, read
without pickled code.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from torch import nn

from wellshaped.files.whole import clear_drafts, drafted, flush, remove_whole
from wellshaped.records.phrase import UserError
from wellshaped.train.loop_settings import Better

FORMAT: Final = 1
_STATE: Final = "state.pt"
_ABOUT: Final = "checkpoint.json"
_WEIGHTS: Final = "model.safetensors"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A whole checkpoint: its folder, step, score (if it was evaluated) and marks."""

    folder: Path
    step: int
    score: float | None
    marks: Mapping[str, Any]

    def state(self) -> dict[str, Any]:
        """What was given to `save` besides the weights."""
        try:
            found: dict[str, Any] = torch.load(
                self.folder / _STATE, map_location="cpu", weights_only=True
            )
        except Exception as error:  # pickle, zip and torch each raise their own
            raise UserError("WS987", "broken_checkpoint", folder=str(self.folder)) from error
        return found

    def weights(self) -> dict[str, torch.Tensor]:
        """The weights that `save` wrote itself."""
        return read_weights(self.folder / _WEIGHTS)


class Checkpoints:
    """The checkpoints of one run, in one folder; `marks` say which run: they must agree."""

    def __init__(
        self,
        folder: str | Path,
        *,
        marks: Mapping[str, Any],
        keep: int = 2,
        better: Better = "higher",
    ) -> None:
        self.folder = Path(folder)
        self.marks = json.loads(json.dumps(marks))
        self.keep = max(keep, 1)
        self.better = better

    def save(
        self,
        step: int,
        *,
        state: Mapping[str, Any],
        weights: Mapping[str, torch.Tensor] | None = None,
        write: Callable[[Path], None] | None = None,
        score: float | None = None,
    ) -> Checkpoint:
        """Write one checkpoint, then remove those that are neither among the last nor the best.

        `weights` become `model.safetensors`; `write` may put more files into the folder.
        """
        final = self.folder / f"step-{step:08d}"
        about = {"format": FORMAT, "step": step, "score": score, "marks": self.marks}
        with drafted(final) as draft:
            draft.mkdir(parents=True)
            if weights is not None:
                write_weights(weights, draft / _WEIGHTS)
            if write is not None:
                write(draft)
            # Through a file of Python's: torch's own does not say why it could not be written.
            with open(draft / _STATE, "wb") as file:
                torch.save(dict(state), file)
            about["files"] = {path: size for path, size in _sizes(draft).items() if path != _ABOUT}
            (draft / _ABOUT).write_text(json.dumps(about, indent=1), encoding="utf-8")
        self._sweep()
        return Checkpoint(final, step, score, self.marks)

    def all(self) -> list[Checkpoint]:
        """The whole checkpoints, oldest first."""
        found = (_opened(path) for path in sorted(self.folder.glob("step-*")))
        return [each for each in found if each is not None]

    def newest(self) -> Checkpoint | None:
        """The checkpoint to go on from; raises where it is another run's."""
        whole = self.all()
        if whole:
            self._refuse_other(whole[-1])
        return whole[-1] if whole else None

    def best(self) -> Checkpoint | None:
        """The checkpoint with the best score, the earlier one of two; the newest if none has."""
        whole = self.all()
        scored = [each for each in whole if each.score is not None]
        sign = 1 if self.better == "higher" else -1
        if scored:
            return max(scored, key=lambda each: (sign * (each.score or 0.0), -each.step))
        return whole[-1] if whole else None

    def _refuse_other(self, found: Checkpoint) -> None:
        for name in sorted({*found.marks, *self.marks}):
            then, now = found.marks.get(name), self.marks.get(name)
            if then != now:
                facts = {"name": name, "then": _short(then), "now": _short(now)}
                raise UserError("WS985", "other_run", folder=str(found.folder), **facts)

    def _sweep(self) -> None:
        whole, best = self.all(), self.best()
        kept = {each.folder for each in whole[-self.keep :]} | ({best.folder} if best else set())
        for each in whole:
            if each.folder not in kept:
                remove_whole(each.folder)
        clear_drafts(self.folder)


def size_of(model: nn.Module, *, trained_only: bool = False) -> int:
    """The least that a checkpoint needs, in bytes: the weights, and two moments of each trained."""
    sizes = [(one.requires_grad, one.numel() * one.element_size()) for one in model.parameters()]
    trained = sum(size for is_trained, size in sizes if is_trained)
    return 2 * trained + (trained if trained_only else sum(size for _, size in sizes))


def write_weights(weights: Mapping[str, torch.Tensor], path: Path) -> None:
    """Tensors as safetensors; those that share memory are written once, by their first name."""
    from safetensors.torch import save_file

    owners: dict[tuple[Any, ...], str] = {}
    aliases: dict[str, str] = {}
    for name, tensor in weights.items():
        where = (tensor.data_ptr(), tensor.shape, tensor.stride(), tensor.device)
        owner = owners.setdefault(where, name) if tensor.numel() else name
        if owner != name:
            aliases[name] = owner
    kept, storages = {}, set()
    for name, tensor in weights.items():
        if name not in aliases:
            plain = tensor.detach().to("cpu").contiguous()
            storage = plain.untyped_storage().data_ptr()
            # A part of another tensor: safetensors stores none that overlap.
            kept[name] = plain.clone() if storage in storages else plain
            storages.add(storage)
    save_file(kept, path, metadata={"format": "pt", **aliases})
    flush(path)


def read_weights(path: Path) -> dict[str, torch.Tensor]:
    """What `write_weights` wrote, with every name it was given."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="pt") as file:
            found = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            aliases = dict(file.metadata() or {})
    except (OSError, SafetensorError) as error:
        raise UserError("WS987", "broken_checkpoint", folder=str(path.parent)) from error
    found |= {name: found[owner] for name, owner in aliases.items() if owner in found}
    return found


def _opened(folder: Path) -> Checkpoint | None:
    """The checkpoint in a folder, if it has all its files in full length."""
    try:
        about = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
        sizes = _sizes(folder)
        whole = all(sizes.get(path) == size for path, size in about["files"].items())
        if about["format"] != FORMAT or not whole:
            return None
        return Checkpoint(folder, about["step"], about["score"], about["marks"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _sizes(folder: Path) -> dict[str, int]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.stat().st_size for path in files}


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
