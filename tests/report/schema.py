"""Holds a value against a JSON schema."""

from typing import Any

from jsonschema import Draft202012Validator


def problems(value: Any, schema: dict[str, Any]) -> list[str]:
    """Where the value breaks the schema, and by which keyword; the schema itself must be one."""
    Draft202012Validator.check_schema(schema)
    found = Draft202012Validator(schema).iter_errors(value)
    return [f"{each.json_path} {each.validator}" for each in found]
