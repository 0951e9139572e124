"""Checks JSON against the blocks of docs/json.md, which say in a few words what is in it."""

import json
from collections.abc import Mapping

from tests.support.pages import blocks, page

TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "null": (type(None),),
}


def schemas() -> dict[str, dict[str, object]]:
    """The schema of every format on the page."""
    found = [json.loads(block) for block in blocks(page("json"), "schema")]
    assert len({schema["format"] for schema in found}) == len(found)
    return {schema["format"]: schema for schema in found}


def problems(value: object, schema: object, where: str = "") -> list[str]:
    """Where the value differs from its schema."""
    if isinstance(schema, dict):
        return _object_problems(value, schema, where)
    if isinstance(schema, list):
        if not isinstance(value, list):
            return [] if value is None else [f"{where}: no list"]
        return [each for item in value for each in problems(item, schema[0], f"{where}[]")]
    if not isinstance(schema, str) or where == ".format":
        return [] if value == schema else [f"{where}: {value!r} is not {schema!r}"]
    kinds = schema.partition(":")[0].split(" or ")
    fits = "any" in kinds or any(type(value) in TYPES[kind] for kind in kinds)
    return [] if fits else [f"{where}: {value!r} is not {schema!r}"]


def _object_problems(value: object, schema: dict[str, object], where: str) -> list[str]:
    if value is None and where:
        return []  # an object or a list that does not apply is null
    if not isinstance(value, dict):
        return [f"{where}: no object"]
    fields = {name.rstrip("?"): kind for name, kind in schema.items() if name != "*"}
    required = [name for name in schema if name != "*" and not name.endswith("?")]
    found = [f"{where}.{name}: missing" for name in required if name not in value]
    for name, item in value.items():
        if name in fields or "*" in schema:
            found += problems(item, fields.get(name, schema.get("*")), f"{where}.{name}")
        else:
            found.append(f"{where}.{name}: not on the page")
    return found
