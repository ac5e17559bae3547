<?php

declare(strict_types=1);

namespace Daftar\Exception;

/** 422: fields violate their constraints. */
final class ValidationException extends ApiException
{
    /** @return array<string, list<string>> what is wrong, by the dotted path of the field */
    public function errors(): array
    {
        return $this->details['errors'] ?? [];
    }
}
