"""The server that writes the responses of a run: its model, and how it gets the weights."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from wellshaped.records.phrase import Phrase, UserError
from wellshaped.train.events import EventSink
from wellshaped.train.rl.generation.endpoint import EndpointGenerator
from wellshaped.train.rl.generation.http_client import base_url, list_models
from wellshaped.train.rl.generation.policy_generator import Generator
from wellshaped.train.rl.generation.weight_refresh import Command, Refresh, require_folder_named
from wellshaped.train.rl.learner import Learner

# Its address, and the name of its model where it has several.
Address = str | tuple[str, str]
# Where the policy is written for a server that loads it from a folder, below that of the run.
FOLDER: Final = "served"


@dataclass(frozen=True)
class GenerationServer:
    """A server that answered, and what brings it the weights of the policy."""

    url: str
    name: str
    refresh: Command | None

    def generator(
        self, learner: Learner, tokenizer: Any, folder: Path, *, tell: EventSink
    ) -> Generator:
        """The generator that asks it, once what happens to its weights is reported."""
        tell(self._weight_note())
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

    def _weight_note(self) -> Phrase:
        if self.refresh is None:
            return Phrase("server_keeps_weights", {"url": self.url})
        command = getattr(self.refresh, "__qualname__", str(self.refresh))
        return Phrase("server_is_refreshed", {"url": self.url, "command": command})


def find_server(address: Address | None, refresh: Command | None) -> GenerationServer | None:
    """The server at an address, if one is given; raises where it has not what is needed."""
    if address is None:
        if refresh is not None:
            raise UserError("WS988", "refresh_alone")
        return None
    given, name = (address, "") if isinstance(address, str) else address
    url = base_url(given)
    if refresh is not None:
        require_folder_named(refresh)
    known = [str(one.get("id")) for one in list_models(url)]
    if not name and len(known) == 1:
        name = known[0]
    # An adapter may have no name there before it is brought.
    if not name or (known and name not in known and refresh is None):
        facts = {"name": name or "-", "known": ", ".join(known) or "-"}
        raise UserError("WS998", "server_no_model", url=url, **facts)
    return GenerationServer(url, name, refresh)
