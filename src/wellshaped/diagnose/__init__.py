"""From observations to findings: one rule per fault."""
