<?php

declare(strict_types=1);

namespace Daftar\Laravel\Testing;

use Daftar\CreatedRefund;
use Daftar\Exception\ApiException;
use Daftar\Laravel\Contracts\Refunds;
use Daftar\Refund;
use Daftar\RefundStatus;
use Illuminate\Support\Carbon;
use Illuminate\Support\Str;

/**
 * Refunds of the fake, by the API's rules.
 *
 * @internal
 */
final class FakeRefunds implements Refunds
{
    public bool $allowed = true;

    public function __construct(private readonly FakeServer $server)
    {
    }

    public function create(string $intent, array $fields): CreatedRefund
    {
        return $this->server->call('refunds.create', [$intent, $fields], function () use ($intent, $fields) {
            if (!$this->allowed) {
                $sentence = 'This needs an access token with the scope "refunds".';
                throw ApiException::of($sentence, 403, 'fake', []);
            }
            Rules::checkRefund($fields);
            $of = $this->server->find($intent);
            $known = $this->known($fields['refund_reference']);
            if ($known !== null) {
                $differs = self::differing($known, $of->uuid, $fields);
                return new CreatedRefund(Refund::of($known), true, $differs);
            }
            $refund = $this->accept($of, $fields);
            $of->refunds[$refund['uuid']] = $refund;
            return new CreatedRefund(Refund::of($refund), false, []);
        });
    }

    public function retrieve(string $uuid): Refund
    {
        return $this->server->call('refunds.retrieve', [$uuid], function () use ($uuid): Refund {
            FakeServer::checkUuid($uuid, 'refund');
            foreach ($this->server->intents as $intent) {
                if (isset($intent->refunds[$uuid])) {
                    return Refund::of($intent->refunds[$uuid]);
                }
            }
            throw ApiException::of('Not found.', 404, 'fake', []);
        });
    }

    public function of(string $intent): array
    {
        return $this->server->call('refunds.of', [$intent], function () use ($intent): array {
            return array_values(array_map(Refund::of(...), $this->server->find($intent)->refunds));
        });
    }

    /** How the payment provider's answer ends a refund that is pending or unknown. */
    public function end(string $reference, RefundStatus $as, string $failure): void
    {
        $refund = $this->known($reference) ?? throw new \LogicException("There is no refund $reference.");
        if (!in_array($refund['status'], ['pending', 'unknown'], true)) {
            throw new \LogicException("The refund $reference has ended: it is {$refund['status']}.");
        }
        $intent = $this->server->intents[$refund['payment_intent']];
        $refund['status'] = $as->value;
        $refund['failure_reason'] = $as === RefundStatus::Failed ? $failure : null;
        $refund['updated_at'] = FakeIntent::instant(Carbon::now());
        $intent->refunds[$refund['uuid']] = $refund;
        $type = match ($as) {
            RefundStatus::Succeeded => 'payment_intent.refunded',
            RefundStatus::Failed => 'payment_intent.refund_failed',
            default => null, // there is no webhook before its end
        };
        if ($type !== null) {
            $intent->record($type, array_filter([
                'attempt' => $refund['attempt'],
                'amount' => $refund['amount'],
                'currency' => $refund['currency'],
                'reason' => $refund['failure_reason'],
                'refund' => $refund['uuid'],
            ]));
        }
    }

    /** @return array<string, mixed>|null */
    private function known(string $reference): ?array
    {
        foreach ($this->server->intents as $intent) {
            foreach ($intent->refunds as $refund) {
                if ($refund['refund_reference'] === $reference) {
                    return $refund;
                }
            }
        }
        return null;
    }

    /**
     * @param array<string, mixed> $known
     * @param array<string, mixed> $fields
     * @return list<string>
     */
    private static function differing(array $known, string $intent, array $fields): array
    {
        return array_keys(array_filter([
            'payment_intent' => $known['payment_intent'] !== $intent,
            'amount' => isset($fields['amount']) && $fields['amount'] !== $known['amount'],
            'reason' => ($fields['reason'] ?? null) !== $known['reason'],
            'attempt' => isset($fields['attempt']) && $fields['attempt'] !== $known['attempt'],
        ]));
    }

    /**
     * A new refund of the intent: of a second payment first.
     *
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    private function accept(FakeIntent $intent, array $fields): array
    {
        $wanted = $fields['attempt'] ?? null;
        $attempts = $wanted === null ? $intent->paidBy : array_intersect($intent->paidBy, [$wanted]);
        if ($attempts === []) {
            if ($intent->paidBy !== []) {
                $sentence = 'The attempt is not one of this payment intent that was paid.';
                Rules::refuse(['attempt' => [$sentence]]);
            }
            throw ApiException::of('This payment intent is not paid.', 409, 'fake', []);
        }
        $left = [];
        // The first one made the intent succeed: it is the last whose money goes back.
        foreach ([...array_slice($attempts, 1), ...array_slice($attempts, 0, 1)] as $one) {
            $left[$one] = self::left($intent, $one);
        }
        $attempt = array_key_first(array_filter($left));
        if ($attempt === null) {
            throw ApiException::of('Nothing is left to refund of this payment.', 409, 'fake', []);
        }
        $amount = $fields['amount'] ?? $left[$attempt];
        if ($amount > $left[$attempt]) {
            $rest = "$left[$attempt] (" . Rules::dinars($left[$attempt]) . ')';
            Rules::refuse(['amount' => ["The amount is more than the $rest that is left of this payment."]]);
        }
        $now = FakeIntent::instant(Carbon::now());
        return [
            'uuid' => (string) Str::uuid(),
            'refund_reference' => $fields['refund_reference'],
            'payment_intent' => $intent->uuid,
            'attempt' => $attempt,
            'amount' => $amount,
            'currency' => $intent->fields['currency'],
            'status' => 'pending',
            'reason' => $fields['reason'] ?? null,
            'failure_reason' => null,
            'created_at' => $now,
            'updated_at' => $now,
        ];
    }

    /** What no refund has given back or reserves. Only one that failed releases its amount. */
    private static function left(FakeIntent $intent, string $attempt): int
    {
        $taken = array_filter(
            $intent->refunds,
            static fn (array $one): bool => $one['attempt'] === $attempt && $one['status'] !== 'failed',
        );
        return $intent->fields['amount'] - array_sum(array_column($taken, 'amount'));
    }
}
