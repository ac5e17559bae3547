<?php

namespace Daftar\WooCommerce;

/** A request to Daftar that was refused, or was not answered. */
final class ApiError extends \Exception {
    public int $status; // the HTTP status; 0 where no answer came

    public bool $isKey; // whether the API key was refused, rather than the token

    public function __construct(string $message, int $status, bool $isKey = false) {
        parent::__construct($message);
        $this->status = $status;
        $this->isKey = $isKey;
    }

    /** Whether nobody knows what became of the request: the same one is sent again later. */
    public function isTransient(): bool {
        return $this->status === 0 || $this->status === 408 || $this->status === 429 || $this->status >= 500;
    }
}
