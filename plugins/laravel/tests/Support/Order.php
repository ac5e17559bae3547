<?php

declare(strict_types=1);

namespace Daftar\Laravel\Tests\Support;

use Daftar\Laravel\Orders\HasPayments;
use Daftar\Laravel\Orders\Payable;
use Daftar\PaymentIntent;
use Illuminate\Database\Eloquent\Model;

/**
 * An order that notes what it is told.
 *
 * @property int $id
 * @property int $amount
 * @property string $told
 */
final class Order extends Model implements Payable
{
    use HasPayments {
        onPaid as dispatchPaid;
        onPaymentCanceled as dispatchCanceled;
        onPaidAgain as dispatchPaidAgain;
        onPaymentMismatch as dispatchMismatch;
    }

    /** Thrown by onPaid, once. */
    public static ?\Throwable $trouble = null;

    public $timestamps = false;

    protected $guarded = [];

    protected $attributes = ['told' => ''];

    protected $casts = ['amount' => 'integer'];

    public function paymentReference(): string
    {
        return "order-$this->id";
    }

    public function paymentAmount(): int
    {
        return $this->amount;
    }

    public function paymentDescription(): string
    {
        return "الطلبية $this->id";
    }

    public function paymentFields(): array
    {
        return [
            'return_url' => "https://shop.example.ly/orders/$this->id",
            'customer' => ['external_id' => 'c-1'],
            'metadata' => ['branch' => 'Tripoli', 'order_key' => 'not for orders to choose'],
        ];
    }

    public function onPaid(PaymentIntent $intent): void
    {
        $this->note("paid $intent->merchant_reference");
        [$trouble, self::$trouble] = [self::$trouble, null];
        if ($trouble !== null) {
            throw $trouble;
        }
        $this->dispatchPaid($intent);
    }

    public function onPaymentCanceled(PaymentIntent $intent): void
    {
        $this->note("canceled $intent->merchant_reference");
        $this->dispatchCanceled($intent);
    }

    public function onPaidAgain(PaymentIntent $intent): void
    {
        $this->note("again $intent->merchant_reference");
        $this->dispatchPaidAgain($intent);
    }

    public function onPaymentMismatch(PaymentIntent $intent): void
    {
        $this->note("mismatch $intent->merchant_reference");
        $this->dispatchMismatch($intent);
    }

    private function note(string $what): void
    {
        $this->told = trim("$this->told, $what", ', ');
        $this->save();
    }
}
