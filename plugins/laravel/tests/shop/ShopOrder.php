<?php

declare(strict_types=1);

use Daftar\Laravel\Orders\HasPayments;
use Daftar\Laravel\Orders\Payable;
use Daftar\PaymentIntent;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Support\Facades\DB;

/**
 * An order of the shop.
 *
 * @property string $reference
 * @property string $product
 * @property int $amount
 * @property string $state
 */
final class ShopOrder extends Model implements Payable
{
    use HasPayments;

    public $timestamps = false;

    protected $table = 'orders';

    protected $guarded = [];

    protected $attributes = ['state' => 'open'];

    protected $casts = ['amount' => 'integer'];

    public function paymentReference(): string
    {
        return $this->reference;
    }

    public function paymentAmount(): int
    {
        return $this->amount;
    }

    public function paymentDescription(): string
    {
        return Shop::PRODUCTS[$this->product]['ar'];
    }

    public function paymentFields(): array
    {
        return ['return_url' => url("/orders/$this->reference")];
    }

    public function onPaid(PaymentIntent $intent): void
    {
        DB::table('fulfilments')->insert(['reference' => $this->reference]);
        $this->update(['state' => 'fulfilled']);
    }

    public function onPaymentCanceled(PaymentIntent $intent): void
    {
        $this->update(['state' => 'canceled']);
    }
}
