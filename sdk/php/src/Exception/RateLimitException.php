<?php

declare(strict_types=1);

namespace Daftar\Exception;

/** 429, however often it was tried. */
final class RateLimitException extends UnavailableException
{
}
