<?php

declare(strict_types=1);

namespace Daftar\Exception;

/** 409: the intent is not in a state in which this can be done. */
final class ConflictException extends ApiException
{
}
