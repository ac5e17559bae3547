<?php

declare(strict_types=1);

namespace Daftar\Exception;

/** 403: it is of another application, or the access token lacks the scope for it. */
final class PermissionException extends ApiException
{
}
