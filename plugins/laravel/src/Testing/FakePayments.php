<?php

declare(strict_types=1);

namespace Daftar\Laravel\Testing;

use Daftar\CreatedPaymentIntent;
use Daftar\Laravel\Contracts\Payments;
use Daftar\PaymentIntent;
use Daftar\PaymentIntentEvent;
use Illuminate\Support\Carbon;
use Illuminate\Support\LazyCollection;

/**
 * Payment intents of the fake, by the API's rules.
 *
 * @internal
 */
final readonly class FakePayments implements Payments
{
    public function __construct(private FakeServer $server)
    {
    }

    public function create(array $fields): CreatedPaymentIntent
    {
        $fields += ['currency' => 'LYD'];
        return $this->server->call('payments.create', [$fields], fn () => $this->accept($fields));
    }

    public function retrieve(string $uuid): PaymentIntent
    {
        return $this->server->call('payments.retrieve', [$uuid], fn () => $this->server->find($uuid)->show());
    }

    public function expire(string $uuid): PaymentIntent
    {
        return $this->server->call('payments.expire', [$uuid], function () use ($uuid): PaymentIntent {
            $intent = $this->server->find($uuid);
            $intent->stop();
            return $intent->show();
        });
    }

    public function all(array $filter = []): LazyCollection
    {
        return LazyCollection::make(function () use ($filter): \Generator {
            yield from $this->server->call('payments.all', [$filter], fn () => $this->matching($filter));
        });
    }

    /**
     * @param array<string, mixed> $filter
     * @return list<PaymentIntent> newest first
     */
    private function matching(array $filter): array
    {
        Rules::checkFilter($filter);
        $all = array_map(static function (FakeIntent $intent): PaymentIntent {
            $intent->expireIfDue();
            return $intent->show();
        }, array_reverse(array_values($this->server->intents)));
        return array_values(array_filter($all, static fn ($one) => self::isWanted($one, $filter)));
    }

    public function events(string $uuid): array
    {
        return $this->server->call('payments.events', [$uuid], fn (): array => array_map(
            static fn (array $e) => new PaymentIntentEvent($e['sequence'], $e['type'], $e['at'], $e),
            $this->server->find($uuid)->events,
        ));
    }

    /** @param array<string, mixed> $fields */
    private function accept(array $fields): CreatedPaymentIntent
    {
        Rules::checkIntent($fields);
        $known = $this->server->known($fields['merchant_reference']);
        if ($known !== null) {
            return new CreatedPaymentIntent($known->show(), true, self::differing($known, $fields));
        }
        $expires = Carbon::parse($fields['expires_at'] ?? Carbon::now()->addDay());
        Rules::checkWindow($expires);
        $intent = new FakeIntent($fields, $expires, $this->server->queue(...));
        $this->server->intents[$intent->uuid] = $intent;
        return new CreatedPaymentIntent($intent->show(), false, []);
    }

    /**
     * @param array<string, mixed> $fields
     * @return list<string> in the order of the specification
     */
    private static function differing(FakeIntent $known, array $fields): array
    {
        $of = static fn (array $all): array => [
            'amount' => $all['amount'],
            'currency' => $all['currency'],
            'customer' => $all['customer']['external_id'] ?? null,
            'description' => $all['description'],
            'return_url' => $all['return_url'] ?? null,
            'metadata' => $all['metadata'] ?? null,
        ];
        [$is, $sent] = [$of($known->fields), $of($fields)];
        $names = [];
        foreach ($is as $name => $value) {
            // The order of metadata does not count.
            if ($name === 'metadata' ? $value != $sent[$name] : $value !== $sent[$name]) {
                $names[] = $name;
            }
        }
        if (isset($fields['expires_at']) && Carbon::parse($fields['expires_at']) != $known->expires) {
            $names[] = 'expires_at';
        }
        return $names;
    }

    /** @param array<string, mixed> $filter */
    private static function isWanted(PaymentIntent $intent, array $filter): bool
    {
        $created = Carbon::parse($intent->created_at);
        $is = [
            'merchant_reference' => $intent->merchant_reference,
            'status' => $intent->status->value,
            'customer_external_id' => $intent->customer_external_id,
        ];
        return array_intersect_key($filter, $is) == array_intersect_key($is, $filter)
            && $created >= Carbon::parse($filter['created_from'] ?? $created)
            && $created <= Carbon::parse($filter['created_to'] ?? $created);
    }
}
