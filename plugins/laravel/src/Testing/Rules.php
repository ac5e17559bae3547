<?php

declare(strict_types=1);

namespace Daftar\Laravel\Testing;

use Daftar\Exception\ApiException;
use Illuminate\Support\Carbon;

/**
 * The API's constraints on fields, with its sentences (docs/limits.md). It does not know all that can be
 * wrong with an address or a time.
 *
 * @internal
 */
final class Rules
{
    private const MOST = 1_000_000_000;

    /** @var array<string, list<string>> */
    private array $errors = [];

    /** @param array<string, mixed> $fields */
    public static function checkIntent(array $fields): void
    {
        $rules = new self();
        $rules->text('merchant_reference', $fields, required: true);
        $rules->amount($fields, 1000);
        $rules->currency($fields['currency'] ?? null);
        if (array_key_exists('customer', $fields)) {
            $rules->customer($fields['customer']);
        }
        $rules->text('description', $fields, required: true);
        $rules->text('return_url', $fields, limit: 2048);
        if (!preg_match('~^[a-z][a-z0-9+.-]*:[^\s]+$~i', (string) ($fields['return_url'] ?? 'app:1'))) {
            $rules->add('return_url', 'must be an absolute URI, such as https://shop.example/orders/1.');
        }
        $rules->metadata($fields['metadata'] ?? null);
        $rules->text('expires_at', $fields);
        $rules->end();
    }

    /** Only of an intent that is new: where it exists already, the window does not matter. */
    public static function checkWindow(Carbon $expires): void
    {
        if ($expires <= Carbon::now()->addMinutes(5) || $expires >= Carbon::now()->addDays(31)) {
            $rules = new self();
            $rules->add('expires_at', 'must be more than 5 minutes and less than 31 days ahead.');
            $rules->end();
        }
    }

    /** @param array<string, mixed> $fields */
    public static function checkRefund(array $fields): void
    {
        $rules = new self();
        $rules->text('refund_reference', $fields, required: true);
        if (($fields['amount'] ?? null) !== null) {
            $rules->amount($fields, 1);
        }
        $rules->text('reason', $fields);
        $rules->text('attempt', $fields, limit: 64);
        $rules->end();
    }

    /** @param array<string, mixed> $filter */
    public static function checkFilter(array $filter): void
    {
        $rules = new self();
        $limit = $filter['limit'] ?? 25;
        if (!ctype_digit((string) $limit) || $limit < 1 || $limit > 100) {
            $rules->add('limit', 'must be an integer from 1 to 100.');
        }
        if (($filter['merchant_reference'] ?? 'any') === '') {
            $rules->add('merchant_reference', 'must not be empty.');
        }
        $statuses = ['requires_payment_method', 'processing', 'succeeded', 'canceled'];
        if (!in_array($filter['status'] ?? 'succeeded', $statuses, true)) {
            $rules->add('status', 'must be requires_payment_method, processing, succeeded or canceled.');
        }
        $known = ['merchant_reference', 'status', 'customer_external_id', 'created_from', 'created_to'];
        unset($filter['limit']);
        foreach (array_keys(array_diff_key($filter, array_flip($known))) as $name) {
            $rules->errors[$name][] = "There is no parameter $name.";
        }
        $rules->end();
    }

    /** @param array<string, list<string>> $errors */
    public static function refuse(array $errors): never
    {
        $sentences = array_merge(...array_values($errors));
        $more = count($sentences) - 1;
        $rest = ['', ' (and 1 more error)'][$more] ?? " (and $more more errors)";
        throw ApiException::of($sentences[0] . $rest, 422, 'fake', ['errors' => $errors]);
    }

    /** 5000 as 5.000 LYD. */
    public static function dinars(int $minor): string
    {
        return number_format($minor / 1000, 3) . ' LYD';
    }

    private static function both(int $minor): string
    {
        return "$minor (" . self::dinars($minor) . ').';
    }

    private function add(string $field, string $sentence): void
    {
        $this->errors[$field][] = "The $field $sentence";
    }

    private function end(): void
    {
        if ($this->errors !== []) {
            self::refuse($this->errors);
        }
    }

    /** @param array<string, mixed> $fields */
    private function text(string $field, array $fields, bool $required = false, int $limit = 255): void
    {
        $value = $fields[$field] ?? null;
        match (true) {
            $required && ($value === null || $value === '') => $this->add($field, 'is required.'),
            $value === null => null,
            !is_string($value) => $this->add($field, 'must be a string' . ($required ? '.' : ' or null.')),
            mb_strlen($value) > $limit => $this->add($field, "must be at most $limit characters."),
            $field === 'description' && !preg_match('/[\p{L}\p{N}\p{P}\p{S}]/u', $value)
                => $this->add($field, 'must contain a visible character.'),
            default => null,
        };
    }

    /** @param array<string, mixed> $fields */
    private function amount(array $fields, int $least): void
    {
        $value = $fields['amount'] ?? null;
        match (true) {
            $value === null || $value === '' => $this->add('amount', 'is required.'),
            !is_int($value) => $this->add('amount', 'must be an integer in minor units, '
                . (is_string($value) ? 'without quotes' : 'written without fraction or exponent')
                . ': 5.000 LYD is 5000.'),
            $value < $least => $this->add('amount', 'must be at least ' . self::both($least)),
            $value > self::MOST => $this->add('amount', 'must be at most ' . self::both(self::MOST)),
            default => null,
        };
    }

    private function currency(mixed $value): void
    {
        match (true) {
            $value === null || $value === '' => $this->add('currency', 'is required.'),
            !is_string($value) => $this->add('currency', 'must be a string.'),
            mb_strlen($value) !== 3 => $this->add('currency', 'must be exactly 3 characters.'),
            !preg_match('/^[A-Z]{3}$/D', $value)
                => $this->add('currency', 'must be an ISO 4217 code, in capitals: LYD.'),
            $value !== 'LYD' => $this->add('currency', 'is not supported. The only one at present is LYD.'),
            default => null,
        };
    }

    private function customer(mixed $customer): void
    {
        if (!is_array($customer)) {
            $this->add('customer', 'must be an object. Leave it out where there is none.');
            return;
        }
        $this->text('customer.external_id', ['customer.external_id' => $customer['external_id'] ?? null]);
    }

    private function metadata(mixed $metadata): void
    {
        if ($metadata !== null && (!is_array($metadata) || ($metadata !== [] && array_is_list($metadata)))) {
            $this->add('metadata', 'must be an object or null.');
            return;
        }
        $metadata ??= [];
        if (count($metadata) > 20) {
            $this->add('metadata', 'must have at most 20 keys; it has ' . count($metadata) . '.');
        }
        foreach (array_slice($metadata, 0, 20, true) as $key => $value) {
            if (mb_strlen((string) $key) > 40) {
                $this->errors["metadata.$key"][] = 'A metadata key must be at most 40 characters.';
            }
            if (!is_string($value)) {
                $this->errors["metadata.$key"][] = 'A metadata value must be a string.';
            } elseif (mb_strlen($value) > 255) {
                $this->errors["metadata.$key"][] = 'A metadata value must be at most 255 characters.';
            }
        }
    }
}
