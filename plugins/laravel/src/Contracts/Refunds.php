<?php

declare(strict_types=1);

namespace Daftar\Laravel\Contracts;

use Daftar\CreatedRefund;
use Daftar\Exception\ConflictException;
use Daftar\Exception\DaftarException;
use Daftar\Exception\NotFoundException;
use Daftar\Exception\PermissionException;
use Daftar\Exception\ValidationException;
use Daftar\Refund;

/** Money that goes back. Any call may be repeated after any exception: nothing is done twice. */
interface Refunds
{
    /**
     * Gives money of a paid intent back, or finds the refund with the same refund_reference. Keep the
     * reference before you call. A new refund is Pending: how it ended is in a webhook and in retrieve().
     *
     * @param string $intent its uuid
     * @param array{
     *   refund_reference: string, amount?: int|null, reason?: string|null, attempt?: string|null
     * } $fields amount is in dirhams; without it all that is left goes back
     * @throws ConflictException where this money cannot go back
     * @throws PermissionException where the access token lacks the scope refunds
     * @throws ValidationException|DaftarException
     */
    public function create(string $intent, array $fields): CreatedRefund;

    /**
     * The refund as it stands now.
     *
     * @throws NotFoundException|PermissionException|DaftarException
     */
    public function retrieve(string $uuid): Refund;

    /**
     * All refunds of an intent, oldest first, also those that people requested.
     *
     * @return list<Refund>
     * @throws NotFoundException|PermissionException|DaftarException
     */
    public function of(string $intent): array;
}
