"""Relations that a right training step keeps, measured on the program's own step.

A relation is one file: what is changed, what must stay, how that is compared, and when it does not
apply. The engine takes the step: it waits for a batch, forks, and lets each child run on to
`backward()` with its batch changed. See docs/decisions/0023-the-certificate-of-a-step.md.
"""

from wellshaped.relations.certify import unknown
from wellshaped.relations.run import certify, certify_step, nothing_measured

__all__ = ["certify", "certify_step", "nothing_measured", "unknown"]
