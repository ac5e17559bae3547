<?php

declare(strict_types=1);

namespace Daftar\Laravel\Testing;

use Daftar\Exception\ApiException;
use Daftar\PaymentIntent;
use Daftar\Status;
use Illuminate\Support\Carbon;
use Illuminate\Support\Str;

/**
 * An intent of the fake: its state, and what happened to it.
 *
 * @internal
 */
final class FakeIntent
{
    public readonly string $uuid;

    public Status $status = Status::RequiresPaymentMethod;

    /** @var list<array<string, mixed>> as the API lists them */
    public array $events = [];

    /** @var list<string> the attempts that paid, the first one first */
    public array $paidBy = [];

    /** @var array<string, array<string, mixed>> refunds by uuid, as the API has them */
    public array $refunds = [];

    private ?string $attempt = null;

    private readonly Carbon $created;

    private Carbon $updated;

    /**
     * @param array<string, mixed> $fields of the creation
     * @param \Closure(self, array<string, mixed>): void $happened told about each event
     */
    public function __construct(
        public readonly array $fields,
        public readonly Carbon $expires,
        private readonly \Closure $happened,
    ) {
        $this->uuid = (string) Str::uuid();
        $this->created = $this->updated = Carbon::now();
        $this->record('payment_intent.created', $this->money());
    }

    public function show(): PaymentIntent
    {
        return PaymentIntent::of([
            'uuid' => $this->uuid,
            'reference' => strtoupper(substr($this->uuid, 0, 8)),
            'merchant_reference' => $this->fields['merchant_reference'],
            'amount' => $this->fields['amount'],
            'currency' => $this->fields['currency'],
            'status' => $this->status->value,
            'description' => $this->fields['description'],
            'customer' => ['external_id' => $this->fields['customer']['external_id'] ?? null],
            'return_url' => $this->fields['return_url'] ?? null,
            'metadata' => $this->fields['metadata'] ?? null,
            'expires_at' => self::instant($this->expires),
            'checkout_url' => "https://daftar.test/checkout/$this->uuid",
            'created_at' => self::instant($this->created),
            'updated_at' => self::instant($this->updated),
        ]);
    }

    public static function instant(Carbon $time): string
    {
        return $time->copy()->utc()->format('Y-m-d\TH:i:s.u\Z');
    }

    /** An intent whose time has run out is canceled by the first that looks. */
    public function expireIfDue(): void
    {
        if ($this->status === Status::RequiresPaymentMethod && Carbon::now() >= $this->expires) {
            $this->cancel('expired');
        }
    }

    public function stop(): void
    {
        match ($this->status) {
            Status::RequiresPaymentMethod => $this->cancel('stopped'),
            Status::Canceled => null,
            Status::Processing => throw ApiException::of(
                'A payment attempt is under way. Please try again when it has ended.',
                409,
                'fake',
                [],
            ),
            Status::Succeeded => throw ApiException::of('This payment intent is paid.', 409, 'fake', []),
        };
    }

    public function cancel(string $reason): void
    {
        $this->mustBe(Status::RequiresPaymentMethod);
        $this->become(Status::Canceled, 'payment_intent.canceled', ['reason' => $reason]);
    }

    public function begin(): void
    {
        $this->mustBe(Status::RequiresPaymentMethod);
        $this->attempt = (string) Str::uuid();
        $this->become(Status::Processing, 'payment_intent.processing', ['attempt' => $this->attempt]);
    }

    public function fail(string $reason): void
    {
        $this->mustBe(Status::Processing);
        $failed = ['attempt' => $this->attempt, 'reason' => $reason];
        $this->become(Status::RequiresPaymentMethod, 'payment_intent.payment_failed', $failed);
        $this->expireIfDue();
    }

    /** Money of an attempt that the API knows: in time, late, or a second time. */
    public function receive(): void
    {
        $again = $this->status === Status::Succeeded;
        $late = $this->status === Status::Canceled;
        $this->paidBy[] = $attempt = $again ? (string) Str::uuid() : $this->attempt ?? (string) Str::uuid();
        $paid = ['attempt' => $attempt] + $this->money();
        if ($again) {
            $this->record('payment_intent.duplicate_payment', $paid);
            return;
        }
        $this->become(Status::Succeeded, 'payment_intent.succeeded', $paid + ['late' => $late]);
    }

    public function mustBe(Status ...$statuses): void
    {
        if (!in_array($this->status, $statuses, true)) {
            $reference = $this->fields['merchant_reference'];
            throw new \LogicException("That cannot happen to $reference: it is {$this->status->value}.");
        }
    }

    /** @param array<string, mixed> $fields */
    public function record(string $type, array $fields): void
    {
        $event = [
            'sequence' => count($this->events) + 1,
            'type' => $type,
            'at' => self::instant(Carbon::now()),
        ] + $fields;
        $this->events[] = $event;
        ($this->happened)($this, $event);
    }

    /** @return array{amount: int, currency: string} */
    private function money(): array
    {
        return ['amount' => $this->fields['amount'], 'currency' => $this->fields['currency']];
    }

    /** @param array<string, mixed> $fields */
    private function become(Status $status, string $type, array $fields): void
    {
        $this->status = $status;
        $this->updated = Carbon::now();
        $this->record($type, $fields);
    }
}
