<?php

declare(strict_types=1);

namespace Daftar\Laravel\Console\Doctor;

/** What a finding means. Only a failure keeps payments from working. */
enum Level: string
{
    case Good = 'ok';
    case Warning = 'warning';
    case Failure = 'FAIL';
}
