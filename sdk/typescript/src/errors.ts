/** Everything that this package throws, but for wrong arguments (TypeError). */
export class DaftarError extends Error {
  override name = this.constructor.name;
}

/**
 * No answer of the API came, however often it was asked. It is not known whether the request
 * was carried out. Send the same one again: it is never done twice.
 */
export class ConnectionError extends DaftarError {
  constructor(
    message: string,
    /** The id that the requests carried, to quote when asking for help. */
    readonly requestId: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What an error is made of. */
export interface Refusal {
  status: number;
  message: string;
  requestId: string;
  /** What is wrong, by the dotted path of the field. */
  errors?: Record<string, string[]>;
  /** In how many seconds to try again, where the service said so. */
  retryAfter?: number | undefined;
}

/** The API answered with an error. */
export class ApiError extends DaftarError {
  readonly status: number;
  /** To quote when asking for help. */
  readonly requestId: string;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.status = refusal.status;
    this.requestId = refusal.requestId;
  }
}

/** 401: the API key or the access token is missing, wrong, revoked or expired. */
export class AuthenticationError extends ApiError {}

/** 403: it is of another application, or the access token lacks the scope for it. */
export class PermissionError extends ApiError {}

/** 404: there is no intent or refund with this uuid. */
export class NotFoundError extends ApiError {}

/** 409: the intent is not in a state in which this can be done. */
export class ConflictError extends ApiError {}

/** 422: fields violate their constraints. */
export class ValidationError extends ApiError {
  /** What is wrong, by the dotted path of the field. */
  readonly errors: Record<string, string[]>;

  constructor(refusal: Refusal) {
    super(refusal);
    this.errors = refusal.errors ?? {};
  }
}

/**
 * 5xx, 408 and 429, however often it was tried: the service is overloaded or away, or the
 * application sends too many requests. Send the same request again later: it is never done twice.
 */
export class UnavailableError extends ApiError {
  readonly retryAfter: number | undefined;

  constructor(refusal: Refusal) {
    super(refusal);
    this.retryAfter = refusal.retryAfter;
  }
}

/** 429, however often it was tried. */
export class RateLimitError extends UnavailableError {}

/** The webhook does not come from Daftar, or is too old. Answer 401. */
export class SignatureError extends DaftarError {}

/** errorOf is the error for an answer that is not 2xx. */
export function errorOf(refusal: Refusal): ApiError {
  switch (refusal.status) {
    case 401:
      return new AuthenticationError(refusal);
    case 403:
      return new PermissionError(refusal);
    case 404:
      return new NotFoundError(refusal);
    case 408:
      return new UnavailableError(refusal);
    case 409:
      return new ConflictError(refusal);
    case 422:
      return new ValidationError(refusal);
    case 429:
      return new RateLimitError(refusal);
  }
  return refusal.status >= 500 ? new UnavailableError(refusal) : new ApiError(refusal);
}
