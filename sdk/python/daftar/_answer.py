"""Tells a good answer of the API from an error, and both from what is not the API's."""

import re
from dataclasses import dataclass
from datetime import timezone
from email.message import Message
from email.utils import parsedate_to_datetime
from time import time
from typing import Any, Optional

from daftar._json import load_object
from daftar._transport import Reply
from daftar.errors import error_of


@dataclass(frozen=True)
class Answer:
    """A good answer: its body has "data"."""

    headers: Message
    body: dict[str, Any]


def answer_of(reply: Reply, request_id: str) -> Answer:
    """Raises an ApiError for an answer that is not 2xx, and a ValueError for one that is not the API's."""
    body = load_object(reply.body)
    if not 200 <= reply.status <= 299:
        body = body or {}
        # For a wrong API key the field is called error.
        said = [body.get("message"), body.get("error"), f"The service answered {reply.status}."]
        message = next(text for text in said if isinstance(text, str))
        errors = body.get("errors")
        raise error_of(
            reply.status,
            message,
            request_id,
            errors if isinstance(errors, dict) else {},
            _retry_after(reply.headers.get("Retry-After", "")),
        )
    if body is None or not isinstance(body.get("data"), (dict, list)):
        raise ValueError(f"an answer {reply.status} with something else")
    return Answer(reply.headers, body)


def _retry_after(value: str) -> Optional[float]:
    """The seconds of Retry-After, which may be a number or a date."""
    if re.fullmatch("[0-9]{1,9}", value):
        return float(value)
    try:
        at = parsedate_to_datetime(value)
        # A date without an offset is one of HTTP's old forms, and in UTC as all of them are.
        return max(0.0, (at if at.tzinfo else at.replace(tzinfo=timezone.utc)).timestamp() - time())
    except (ValueError, TypeError, IndexError, OverflowError):  # which of them, depends on the version
        return None
