"""The compiled kernels behind the losses, as rules on sketches.

Each follows torch 2.13 on CPU; where a kernel checks less than its documentation says, so
does the rule here: the documented arrangement is the contract's business.
"""
