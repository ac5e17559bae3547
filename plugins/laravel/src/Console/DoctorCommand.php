<?php

declare(strict_types=1);

namespace Daftar\Laravel\Console;

use Daftar\Laravel\Console\Doctor\ApiChecks;
use Daftar\Laravel\Console\Doctor\Level;
use Daftar\Laravel\Console\Doctor\LocalChecks;
use Daftar\Laravel\Console\Doctor\Report;
use Illuminate\Console\Command;
use Illuminate\Contracts\Config\Repository;

/** Says what keeps payments from working, and what to do about it. Nothing is created or changed. */
final class DoctorCommand extends Command
{
    protected $signature = 'daftar:doctor';

    protected $description = 'Checks the settings of Daftar, the API, the webhook route and the clock';

    public function handle(LocalChecks $local, Repository $config): int
    {
        $report = new Report();
        if ($local->settings($report)) {
            (new ApiChecks(
                rtrim((string) $config->get('daftar.url'), '/'),
                (string) $config->get('daftar.api_key'),
                (string) $config->get('daftar.access_token'),
                (float) $config->get('daftar.timeout', 5),
            ))->run($report);
        }
        $local->webhooks($report);
        foreach ($report->lines() as [$level, $text]) {
            $this->line(sprintf('%-8s %s', $level->value, $text));
        }
        return $report->isHealthy() ? self::SUCCESS : self::FAILURE;
    }
}
