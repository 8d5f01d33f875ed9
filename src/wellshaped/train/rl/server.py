"""The server that writes the responses of a run: what it is, and who asks it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from wellshaped.records.phrase import Phrase, UserError
from wellshaped.train.rl.endpoint import EndpointGenerator
from wellshaped.train.rl.learner import Learner
from wellshaped.train.rl.refresh import Command, Refresh, require_folder
from wellshaped.train.rl.rollout import Generator
from wellshaped.train.rl.served import ServedGenerator
from wellshaped.train.serve.asking import about, base_of, is_ours, require
from wellshaped.train.telling import Tell

# Its address, and the name of its model where it has several.
Address = str | tuple[str, str]
# Where the policy is written for a server that loads it from a folder, below that of the run.
FOLDER: Final = "served"


@dataclass(frozen=True)
class Found:
    """A server that answered, and how it gets the weights of the policy."""

    url: str
    name: str
    is_ours: bool
    refresh: Command | None

    def generator(self, learner: Learner, tokenizer: Any, folder: Path, *, tell: Tell) -> Generator:
        """Whatever asks it, from now on."""
        tell(self._about())
        if self.is_ours:
            return ServedGenerator(learner, self.url, self.name)
        chosen, refresh = learner.settings, None
        if self.refresh is not None:
            refresh = Refresh(learner, tokenizer, self.refresh, folder / FOLDER)
        return EndpointGenerator(
            self.url,
            self.name,
            learner.writer,
            tokenizer,
            chosen.sampling,
            chosen.seed,
            refresh=refresh,
        )

    def _about(self) -> Phrase:
        if self.is_ours:
            return Phrase("server_gets_weights", {"url": self.url})
        if self.refresh is None:
            return Phrase("server_keeps_weights", {"url": self.url})
        command = getattr(self.refresh, "__qualname__", str(self.refresh))
        return Phrase("server_is_refreshed", {"url": self.url, "command": command})


def find(given: Address | None, refresh: Command | None) -> Found | None:
    """Ask a server what it is, if one is given; raises where it has not what is needed."""
    if given is None:
        if refresh is not None:
            raise UserError("WS988", "refresh_alone")
        return None
    address, name = (given, "") if isinstance(given, str) else given
    url = base_of(address)
    if refresh is not None:
        require_folder(refresh)
    models = about(url)
    if is_ours(models):
        if refresh is not None:
            raise UserError("WS988", "refresh_of_ours", url=url)
        return Found(url, require(url, models, "policy"), True, None)
    known = [str(one.get("id")) for one in models]
    if not name and len(known) == 1:
        name = known[0]
    # An adapter may have no name there before it is brought.
    if not name or (known and name not in known and refresh is None):
        facts = {"name": name or "-", "known": ", ".join(known) or "-"}
        raise UserError("WS998", "server_no_model", url=url, **facts)
    return Found(url, name, False, refresh)
