<?php
// What can go wrong, as exceptions.

namespace Daftar\WooCommerce;

/** Another process works on the order: what was asked for is to be asked again. */
final class Busy extends \RuntimeException {
}

/** Why an order cannot be paid now; its message is for the customer. */
final class CheckoutError extends \RuntimeException {
}

/** A request to Daftar that was refused, or was not answered. */
final class ApiError extends \Exception {
    public int $status; // of HTTP; 0 where no answer came
    public bool $isKey; // whether the API key was refused, rather than the token

    public function __construct(string $message, int $status, bool $isKey = false) {
        parent::__construct($message);
        $this->status = $status;
        $this->isKey = $isKey;
    }

    /** Whether nobody knows what became of the request: the same one is sent again later. */
    public function isTransient(): bool {
        return $this->status === 0 || in_array($this->status, [408, 429], true) || $this->status >= 500;
    }
}
