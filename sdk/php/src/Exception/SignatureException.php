<?php

declare(strict_types=1);

namespace Daftar\Exception;

/** The webhook does not come from Daftar, or is too old. Answer 401. */
final class SignatureException extends DaftarException
{
}
