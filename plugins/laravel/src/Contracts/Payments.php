<?php

declare(strict_types=1);

namespace Daftar\Laravel\Contracts;

use Daftar\CreatedPaymentIntent;
use Daftar\Exception\ConflictException;
use Daftar\Exception\DaftarException;
use Daftar\Exception\NotFoundException;
use Daftar\Exception\PermissionException;
use Daftar\Exception\ValidationException;
use Daftar\PaymentIntent;
use Daftar\PaymentIntentEvent;
use Illuminate\Support\LazyCollection;

/** Payment intents. Any call may be repeated after any exception: nothing is done twice. */
interface Payments
{
    /**
     * Creates an intent, or finds the one with the same merchant_reference. currency is LYD without it.
     *
     * @param array{
     *   merchant_reference: string, amount: int, currency?: string, description: string,
     *   customer?: array{external_id?: string|null}, return_url?: string|null,
     *   metadata?: array<string, string>|null, expires_at?: string|null
     * } $fields amount is in dirhams: 5000 is 5.000 LYD
     * @throws ValidationException|DaftarException
     */
    public function create(array $fields): CreatedPaymentIntent;

    /**
     * The intent as it stands now. An order is paid only when its status is Succeeded.
     *
     * @throws NotFoundException|PermissionException|DaftarException
     */
    public function retrieve(string $uuid): PaymentIntent;

    /**
     * Cancels an intent that nobody has begun to pay. One that is canceled already stays so.
     *
     * @throws ConflictException where it is being paid, or is paid
     * @throws DaftarException
     */
    public function expire(string $uuid): PaymentIntent;

    /**
     * All intents of this application that match, newest first. A page is asked for when it is needed.
     *
     * @param array{
     *   merchant_reference?: string, status?: string, customer_external_id?: string,
     *   created_from?: string, created_to?: string, limit?: int
     * } $filter
     * @return LazyCollection<int, PaymentIntent>
     */
    public function all(array $filter = []): LazyCollection;

    /**
     * What happened to an intent, oldest first.
     *
     * @return list<PaymentIntentEvent>
     * @throws NotFoundException|PermissionException|DaftarException
     */
    public function events(string $uuid): array;
}
