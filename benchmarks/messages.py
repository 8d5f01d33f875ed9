"""Provokes torch's own texts afresh, and prints which share of them `explain` knows.

usage: python -m benchmarks.messages [--unknown]

The calls are those of tests/observe/message/data/texts.jsonl. Under another version of torch than
the recorded one this shows which wordings have changed and whether they are still known.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass

import torch

from tests.observe.message.collected import CollectedText, collected, provoke
from wellshaped.pipeline.explain import explain_text


@dataclass(frozen=True)
class Asked:
    """A call, what torch says of it now, and whether that is explained by the recorded code."""

    recorded: CollectedText
    text: str

    @property
    def known(self) -> bool:
        codes = explain_text(self.text).codes
        return bool(codes) and (not self.recorded.code or self.recorded.code in codes)


def provoked() -> tuple[list[Asked], list[str]]:
    """What torch refuses, and the calls that it accepts."""
    asked, accepted = [], []
    for each in collected():
        text = provoke(each.call) if each.call else each.text
        if text is None:
            accepted.append(each.call)
        else:
            asked.append(Asked(each, text))
    return asked, accepted


def main() -> None:
    """Print the share by family, and what is not known."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("--unknown", action="store_true", help="print the texts that are not known")
    options = parser.parse_args()
    torch.set_num_threads(1)
    asked, accepted = provoked()
    total, known = Counter[str](), Counter[str]()
    for each in asked:
        total[each.recorded.operation] += 1
        known[each.recorded.operation] += each.known
    print(f"torch {torch.__version__}: texts, of them known")
    for name, count in total.items():
        print(f"  {name:20}{count:6}{known[name]:6}")
    share = 100 * known.total() / total.total()
    print(f"  {'all':20}{total.total():6}{known.total():6}   {share:.1f} %")
    print(f"calls that this torch accepts: {len(accepted)}")
    for each in asked if options.unknown else ():
        if not each.known:
            print(f"  {each.recorded.call}\n    {' '.join(each.text.split())[:120]}")


if __name__ == "__main__":
    main()
