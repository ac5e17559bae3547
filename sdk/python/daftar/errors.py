"""What this package raises, but for wrong arguments (ValueError and TypeError)."""

from typing import Mapping, Optional


class DaftarError(Exception):
    """Everything that this package raises, but for wrong arguments."""


class ApiConnectionError(DaftarError):
    """No answer of the API came, however often it was asked.

    It is not known whether the request was carried out. Send the same one again: it is never done twice.
    """

    def __init__(self, message: str, request_id: str) -> None:
        super().__init__(message, request_id)  # all of them, so that it can be pickled
        self.message = message
        self.request_id = request_id
        """The id that the requests carried, to quote when asking for help."""

    def __str__(self) -> str:
        return self.message


class ApiError(DaftarError):
    """The API answered with an error."""

    def __init__(self, status: int, message: str, request_id: str) -> None:
        super().__init__(status, message, request_id)
        self.status = status
        self.message = message
        self.request_id = request_id
        """To quote when asking for help."""

    def __str__(self) -> str:
        return self.message


class AuthenticationError(ApiError):
    """401: the API key or the access token is missing, wrong, revoked or expired."""


class PermissionDeniedError(ApiError):
    """403: it is of another application, or the access token lacks the scope for it."""


class NotFoundError(ApiError):
    """404: there is no intent or refund with this uuid."""


class ConflictError(ApiError):
    """409: the intent is not in a state in which this can be done."""


class ValidationError(ApiError):
    """422: fields violate their constraints."""

    def __init__(
        self, status: int, message: str, request_id: str, errors: Optional[Mapping[str, list[str]]] = None
    ) -> None:
        super().__init__(status, message, request_id)
        self.errors: dict[str, list[str]] = dict(errors or {})
        """What is wrong, by the dotted path of the field."""


class UnavailableError(ApiError):
    """5xx, 408 and 429, however often it was tried.

    The service is overloaded or away, or the application sends too many requests. Send the same request
    again later: it is never done twice.
    """

    def __init__(
        self, status: int, message: str, request_id: str, retry_after: Optional[float] = None
    ) -> None:
        super().__init__(status, message, request_id)
        self.retry_after = retry_after
        """In how many seconds to try again; None where the service did not say."""


class RateLimitError(UnavailableError):
    """429, however often it was tried."""


class SignatureError(DaftarError):
    """The webhook does not come from Daftar, or is too old. Answer 401."""


_BY_STATUS: dict[int, type[ApiError]] = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
}


def error_of(
    status: int,
    message: str,
    request_id: str,
    errors: Mapping[str, list[str]],
    retry_after: Optional[float],
) -> ApiError:
    """The error for an answer that is not 2xx."""
    if status == 422:
        return ValidationError(status, message, request_id, errors)
    if status == 429:
        return RateLimitError(status, message, request_id, retry_after)
    if status == 408 or status >= 500:
        return UnavailableError(status, message, request_id, retry_after)
    return _BY_STATUS.get(status, ApiError)(status, message, request_id)
