<?php

declare(strict_types=1);

namespace Daftar\Exception;

/**
 * No answer of the API came, however often it was asked. It is not known whether the request
 * was carried out. Send the same one again: it is never done twice.
 */
final class ConnectionException extends DaftarException
{
    /** @param string $requestId the id that the requests carried, to quote when asking for help */
    public function __construct(string $message, public readonly string $requestId)
    {
        parent::__construct($message);
    }
}
