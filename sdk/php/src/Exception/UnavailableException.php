<?php

declare(strict_types=1);

namespace Daftar\Exception;

/**
 * 5xx, 408 and 429, however often it was tried: the service is overloaded or away, or the
 * application sends too many requests. Send the same request again later: it is never done twice.
 */
class UnavailableException extends ApiException
{
    /** In how many seconds to try again; null where the service did not say. */
    public function retryAfter(): ?float
    {
        return $this->details['retry_after'] ?? null;
    }
}
