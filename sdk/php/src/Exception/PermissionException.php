<?php

declare(strict_types=1);

namespace Daftar\Exception;

/** 403: the intent was created by another application. */
final class PermissionException extends ApiException
{
}
