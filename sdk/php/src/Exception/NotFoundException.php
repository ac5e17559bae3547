<?php

declare(strict_types=1);

namespace Daftar\Exception;

/** 404: there is no intent or refund with this uuid. */
final class NotFoundException extends ApiException
{
}
