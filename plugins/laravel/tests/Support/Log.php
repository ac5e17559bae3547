<?php

declare(strict_types=1);

namespace Daftar\Laravel\Tests\Support;

use Psr\Log\AbstractLogger;

/** A log that tests read. */
final class Log extends AbstractLogger
{
    public string $text = '';

    public function log($level, $message, array $context = []): void
    {
        $this->text .= "$level: $message\n";
    }
}
