<?php

declare(strict_types=1);

namespace Daftar\Exception;

/** The API answered with an error. */
class ApiException extends DaftarException
{
    /**
     * @param int $status of HTTP
     * @param string $requestId to quote when asking for help
     */
    final public function __construct(
        string $message,
        public readonly int $status,
        public readonly string $requestId,
        protected readonly array $details = [],
    ) {
        parent::__construct($message, $status);
    }

    /** The exception for an answer that is not 2xx. */
    public static function of(string $message, int $status, string $requestId, array $details): self
    {
        $class = match (true) {
            $status === 401 => AuthenticationException::class,
            $status === 403 => PermissionException::class,
            $status === 404 => NotFoundException::class,
            $status === 409 => ConflictException::class,
            $status === 422 => ValidationException::class,
            $status === 429 => RateLimitException::class,
            $status === 408, $status >= 500 => UnavailableException::class,
            default => self::class,
        };
        return new $class($message, $status, $requestId, $details);
    }
}
