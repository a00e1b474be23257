"""Holding real outputs against the published JSON Schemas, and widening these by what an output has."""

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

import vademecum.cli.schemas

FOLDER = Path(vademecum.cli.schemas.__file__).parent
DRAFT = "https://json-schema.org/draft/2020-12/schema"
_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
Schema = dict[str, Any]


def held_against(value: dict[str, Any]) -> None:
    """Asserts that an output is as its schema says, and has no key that the schema does not name."""
    path = file_of(value)
    assert path.exists(), f"no schema for {value['schema']}: RENEW_SHAPES=1 pytest tests/cli writes one"
    schema = json.loads(path.read_text("utf-8"))
    found = [
        f"{error.json_path}: {error.message}" for error in Draft202012Validator(strict(schema)).iter_errors(value)
    ]
    assert not found


def file_of(value: dict[str, Any]) -> Path:
    return FOLDER / f"{value['schema'].removeprefix('vademecum.').removesuffix('/1')}.json"


def strict(schema: Schema) -> Schema:
    """The schema without leave for keys that it does not name; users' own copies give that leave."""
    closed = {key: _inner(key, value) for key, value in schema.items()}
    if "properties" in closed:
        closed.setdefault("additionalProperties", False)
    return closed


def _inner(key: str, value: Any) -> Any:
    if key == "properties":
        return {name: strict(field) for name, field in value.items()}
    return strict(value) if isinstance(value, dict) and key in {"items", "additionalProperties"} else value


def widen(value: dict[str, Any]) -> None:
    """Makes the schema of an output allow it, or writes a first one, to which people add title and descriptions."""
    path = file_of(value)
    name = path.stem
    if path.exists():
        schema = json.loads(path.read_text("utf-8"))
    else:
        schema = {"$schema": DRAFT, "$id": f"vademecum:{name}/1", "title": name.replace("_", " ")}
    merged(schema, value)
    schema["properties"]["schema"] = {"const": value["schema"]}
    path.write_text(json.dumps(schema, indent=1, ensure_ascii=False) + "\n", "utf-8")


def merged(schema: Schema, value: Any) -> Schema:
    """A schema that allows what it did and this value, too."""
    kind = "object" if isinstance(value, dict) else "array" if isinstance(value, list) else _TYPES[type(value)]
    known = schema.get("type", [])
    kinds = [*([known] if isinstance(known, str) else known)]
    new = not kinds
    if kind not in kinds and not (kind == "integer" and "number" in kinds):
        kinds.append(kind)
    schema["type"] = kinds[0] if len(kinds) == 1 else kinds
    if kind == "array":
        for item in value:
            schema["items"] = merged(schema.get("items", {}), item)
    if kind == "object" and "additionalProperties" not in schema:
        fields = schema.setdefault("properties", {})
        for name, inner in value.items():
            fields[name] = merged(fields.get(name, {}), inner)
        was = schema.get("required", [])
        fresh = new or ("null" in kinds and not was)
        schema["required"] = list(value) if fresh else [name for name in was if name in value]
    return schema
