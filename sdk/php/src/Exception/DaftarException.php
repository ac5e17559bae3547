<?php

declare(strict_types=1);

namespace Daftar\Exception;

/** Everything that this library throws, but for wrong arguments (InvalidArgumentException). */
abstract class DaftarException extends \RuntimeException
{
}
