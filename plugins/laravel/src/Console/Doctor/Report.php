<?php

declare(strict_types=1);

namespace Daftar\Laravel\Console\Doctor;

/** What the doctor found, line by line. */
final class Report
{
    /** @var list<array{0: Level, 1: string}> */
    private array $lines = [];

    public function good(string $text): void
    {
        $this->lines[] = [Level::Good, $text];
    }

    /** @param string $do what a person does about it */
    public function warn(string $text, string $do): void
    {
        $this->lines[] = [Level::Warning, "$text $do"];
    }

    /** @param string $do what a person does about it */
    public function fail(string $text, string $do): void
    {
        $this->lines[] = [Level::Failure, "$text $do"];
    }

    /** @return list<array{0: Level, 1: string}> */
    public function lines(): array
    {
        return $this->lines;
    }

    public function isHealthy(): bool
    {
        return !in_array(Level::Failure, array_column($this->lines, 0), true);
    }
}
