"""Notebooks for tests, as Jupyter stores them."""

import json

OUTPUT = {"name": "stdout", "output_type": "stream", "text": ["époque 1\u2028\n", "<b>\n"]}
PYTHON = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "version": "3.11.7"},
}


def cell(source, kind="code", tags=(), as_string=False):
    found = {"cell_type": kind, "id": "0a1b", "metadata": {"tags": list(tags)} if tags else {}}
    if kind == "code":
        found |= {"execution_count": 7, "outputs": [OUTPUT]}
    return found | {"source": source if as_string else source.splitlines(keepends=True)}


def notebook(*cells, metadata=PYTHON, indent=1, ensure_ascii=False, end="\n"):
    """The text of a notebook; a cell may be given by its source alone."""
    content = {
        "cells": [cell(each) if isinstance(each, str) else each for each in cells],
        "metadata": metadata,
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, indent=indent, ensure_ascii=ensure_ascii) + end
