<?php

declare(strict_types=1);

namespace Daftar\Exception;

/** 401: the API key or the access token is missing, wrong, revoked or expired. */
final class AuthenticationException extends ApiException
{
}
