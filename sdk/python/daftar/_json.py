"""JSON as RFC 8259 has it: the module json also takes and writes NaN and halves of characters."""

import json
from typing import Any, Optional


def load_object(text: bytes) -> Optional[dict[str, Any]]:
    """The object of a text in JSON; None where it is none."""
    try:
        value = json.loads(text.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def dump(fields: dict[str, Any]) -> bytes:
    """Writes the fields of a request. What JSON cannot have is a ValueError or a TypeError."""
    try:
        return json.dumps(fields, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")
    except TypeError as error:
        raise TypeError(f"The fields cannot be written as JSON: {error}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"The fields cannot be written as JSON: {error}") from None


def _refuse(constant: str) -> None:
    raise ValueError(constant)
