<?php

declare(strict_types=1);

namespace Daftar\Laravel\Orders;

use Daftar\PaymentIntent;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\Relations\MorphTo;

/**
 * A payment intent of an order, and what is known of it.
 *
 * @property int $id
 * @property int $attempt
 * @property string $reference
 * @property string $order_key
 * @property int $amount in dirhams
 * @property string $currency
 * @property string|null $uuid
 * @property string|null $checkout_url
 * @property string|null $status
 * @property string|null $outcome
 * @property \Illuminate\Support\Carbon|null $looked_at
 * @property \Illuminate\Support\Carbon $created_at
 * @property Model|null $payable
 */
class Payment extends Model
{
    /** The outcomes of an intent that is paid. */
    public const PAID = 'paid';
    public const SURPLUS = 'surplus';
    public const MISMATCH = 'mismatch';

    protected $table = 'daftar_payments';

    protected $guarded = [];

    protected $casts = ['attempt' => 'integer', 'amount' => 'integer', 'looked_at' => 'datetime'];

    public function payable(): MorphTo
    {
        return $this->morphTo();
    }

    /** Whether nothing that the API says can change what came of it. */
    public function isFinal(): bool
    {
        return $this->outcome === self::PAID || $this->outcome === self::SURPLUS;
    }

    /**
     * Whether the intent is the one that this row was made for. Another shop of the same Daftar application,
     * or this one with an older database, can have the same references and amounts, but not the key.
     */
    public function matches(PaymentIntent $intent): bool
    {
        return ($intent->metadata['order_key'] ?? null) === $this->order_key
            && $intent->merchant_reference === $this->reference
            && $intent->amount === $this->amount
            && $intent->currency === $this->currency;
    }

    /** Keeps what the API said, apart from the status: Settlement keeps that together with what it means. */
    public function remember(PaymentIntent $intent): void
    {
        $this->uuid = $intent->uuid;
        $this->checkout_url = $intent->checkout_url;
        $this->looked_at = $this->freshTimestamp();
    }
}
