<?php

declare(strict_types=1);

namespace Daftar;

use Daftar\Exception\ApiException;
use Daftar\Exception\ConnectionException;
use Daftar\Exception\DaftarException;
use Daftar\Exception\UnavailableException;

/**
 * A client of the Daftar payment service, for a merchant's server.
 *
 * What fails for a while is tried again with the same reference. All methods may be called again
 * after any exception without anything being done twice. They throw an ApiException for what the API refuses
 * and a ConnectionException where no answer came; an InvalidArgumentException says that an argument is wrong.
 */
final class Client
{
    /** The first wait and the longest, in seconds, without what the service asks for. */
    private const FIRST_WAIT = 0.2;
    private const LONGEST_WAIT = 5.0;

    private readonly Connection $connection;

    /**
     * @param string $baseUrl with the version, such as https://pay.example.ly/api/v1
     * @param string $apiKey pk_…: identifies the application
     * @param string $accessToken at_…: identifies the organisation
     * @param float $timeout how long one attempt may take, in seconds
     * @param float $retryFor for how long a request is tried again while the service cannot be reached or is
     *   busy, in seconds, beside the last attempt; 0: once. Give a page that a customer waits for less, and a
     *   batch more.
     */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] string $apiKey,
        #[\SensitiveParameter] string $accessToken,
        float $timeout = 15,
        private readonly float $retryFor = 30,
    ) {
        if (!preg_match('~^https?://.~', $baseUrl)) {
            throw new \InvalidArgumentException('baseUrl must be an http or https address.');
        }
        // What a header can carry: a line end read from a file would fail every request.
        if (!preg_match('/^[\x21-\x7e]+$/D', $apiKey) || !preg_match('/^[\x21-\x7e]+$/D', $accessToken)) {
            throw new \InvalidArgumentException('apiKey and accessToken are needed, without spaces or line ends.');
        }
        $this->connection = new Connection(rtrim($baseUrl, '/'), $apiKey, $accessToken, $timeout);
    }

    /** Reads DAFTAR_API_URL, DAFTAR_API_KEY and DAFTAR_ACCESS_TOKEN. */
    public static function fromEnvironment(float $timeout = 15, float $retryFor = 30): self
    {
        return new self(
            (string) getenv('DAFTAR_API_URL'),
            (string) getenv('DAFTAR_API_KEY'),
            (string) getenv('DAFTAR_ACCESS_TOKEN'),
            $timeout,
            $retryFor,
        );
    }

    /**
     * Creates an intent, or finds the one that was created with the same merchant_reference. Keep the
     * reference with the order before you call: with it the call can be repeated.
     *
     * @param array{
     *   merchant_reference: string, amount: int, currency: string, description: string,
     *   customer?: array{external_id?: string|null}, return_url?: string|null,
     *   metadata?: array<string, string>|null, expires_at?: string|null
     * } $fields as in the API; amount is in minor units: 5000 is 5.000 LYD
     */
    public function createPaymentIntent(array $fields): CreatedPaymentIntent
    {
        // A conflict says that other requests were changing the reference, and that nothing was done.
        return $this->send('POST', '/payment-intents', self::json($fields), true, static fn (Answer $answer): CreatedPaymentIntent => new CreatedPaymentIntent(
            PaymentIntent::of($answer->body['data']),
            self::replayed($answer),
            self::differs($answer),
        ));
    }

    /** The intent as it stands now. An order is paid only when its status is Succeeded. */
    public function retrievePaymentIntent(string $uuid): PaymentIntent
    {
        return $this->send('GET', self::pathOf($uuid), null, false, self::intent(...));
    }

    /**
     * One page of this application's intents, newest first.
     *
     * @param array{
     *   merchant_reference?: string, status?: string, customer_external_id?: string,
     *   created_from?: string, created_to?: string, limit?: int, cursor?: string
     * } $filter times are ISO 8601 with an offset; limit is 1 to 100
     */
    public function listPaymentIntents(array $filter = []): PaymentIntentPage
    {
        $query = $filter === [] ? '' : '?' . http_build_query($filter, '', '&', PHP_QUERY_RFC3986);
        return $this->send('GET', '/payment-intents' . $query, null, false, static fn (Answer $answer): PaymentIntentPage => new PaymentIntentPage(
            array_map(PaymentIntent::of(...), $answer->body['data']),
            $answer->body['next_cursor'] ?? null,
        ));
    }

    /**
     * All of this application's intents that match, newest first, page after page.
     *
     * @param array{merchant_reference?: string, status?: string, customer_external_id?: string, created_from?: string, created_to?: string, limit?: int} $filter
     * @return \Generator<int, PaymentIntent>
     */
    public function paymentIntents(array $filter = []): \Generator
    {
        do {
            $page = $this->listPaymentIntents($filter);
            foreach ($page->data as $intent) {
                yield $intent;
            }
            $filter['cursor'] = $page->next_cursor;
        } while ($page->next_cursor !== null);
    }

    /**
     * Cancels an intent that nobody has begun to pay. One that is canceled already stays so; a
     * ConflictException says that it is being paid or is paid.
     */
    public function expirePaymentIntent(string $uuid): PaymentIntent
    {
        return $this->send('POST', self::pathOf($uuid) . '/expire', null, false, self::intent(...));
    }

    /**
     * What happened to an intent, oldest first.
     *
     * @return list<PaymentIntentEvent>
     */
    public function listPaymentIntentEvents(string $uuid): array
    {
        return $this->send('GET', self::pathOf($uuid) . '/events', null, false, static fn (Answer $answer): array => array_map(
            static fn (array $event): PaymentIntentEvent => new PaymentIntentEvent($event['sequence'], $event['type'], $event['at'], $event),
            $answer->body['data'],
        ));
    }

    /**
     * Gives money of a paid intent back, or finds the refund that was created with the same refund_reference.
     * Keep the reference with the order before you call: with it the call can be repeated. A new refund is
     * Pending: how it ended is in a webhook, and in what retrieveRefund returns. It needs an access token with
     * the scope refunds; a ConflictException says that this money cannot go back.
     *
     * @param string $intent its uuid
     * @param array{refund_reference: string, amount?: int|null, reason?: string|null, attempt?: string|null} $fields
     *   as in the API; amount is in minor units, and without it all that is left goes back
     */
    public function createRefund(string $intent, array $fields): CreatedRefund
    {
        return $this->send('POST', self::pathOf($intent) . '/refunds', self::json($fields), false, static fn (Answer $answer): CreatedRefund => new CreatedRefund(
            Refund::of($answer->body['data']),
            self::replayed($answer),
            self::differs($answer),
        ));
    }

    /**
     * All refunds of an intent, oldest first, also those that people requested.
     *
     * @return list<Refund>
     */
    public function listRefunds(string $intent): array
    {
        return $this->send('GET', self::pathOf($intent) . '/refunds', null, false, static fn (Answer $answer): array => array_map(Refund::of(...), $answer->body['data']));
    }

    /** The refund as it stands now. */
    public function retrieveRefund(string $uuid): Refund
    {
        return $this->send('GET', '/refunds/' . self::checked($uuid, 'refund'), null, false, static fn (Answer $answer): Refund => Refund::of($answer->body['data']));
    }

    private static function pathOf(string $intent): string
    {
        return '/payment-intents/' . self::checked($intent, 'payment intent');
    }

    /** A uuid that is none must not become another path. */
    private static function checked(string $uuid, string $of): string
    {
        if (!preg_match('/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/Di', $uuid)) {
            throw new \InvalidArgumentException("This is not the uuid of a $of: " . json_encode($uuid));
        }
        return $uuid;
    }

    private static function json(array $fields): string
    {
        try {
            return json_encode($fields, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION);
        } catch (\JsonException $e) {
            throw new \InvalidArgumentException('The fields cannot be written as JSON: ' . $e->getMessage(), 0, $e);
        }
    }

    private static function replayed(Answer $answer): bool
    {
        return ($answer->headers['idempotent-replayed'] ?? '') === 'true';
    }

    /** @return list<string> */
    private static function differs(Answer $answer): array
    {
        $differs = $answer->headers['idempotent-replayed-differs'] ?? '';
        return $differs === '' ? [] : explode(', ', $differs);
    }

    private static function intent(Answer $answer): PaymentIntent
    {
        return PaymentIntent::of($answer->body['data']);
    }

    /**
     * Sends a request until it is answered, or is refused for good, or another try would begin later than
     * retryFor seconds after the first. The last exception is thrown.
     *
     * @template T
     * @param callable(Answer): T $read
     * @return T
     */
    private function send(string $method, string $path, ?string $body, bool $retryConflict, callable $read): mixed
    {
        // The same on every attempt, so that support finds all of them.
        $requestId = bin2hex(random_bytes(16));
        $end = hrtime(true) / 1e9 + $this->retryFor;
        for ($tries = 1; ; $tries++) {
            try {
                $answer = $this->connection->ask($method, $path, $body, $requestId);
                try {
                    return $read($answer);
                } catch (\TypeError | \ValueError $e) {
                    throw new ConnectionException('This answer is not the API\'s: ' . $e->getMessage(), $requestId);
                }
            } catch (DaftarException $e) {
                $wait = self::waitAfter($e, $tries);
                if (!self::isTransient($e, $retryConflict) || hrtime(true) / 1e9 + $wait > $end) {
                    throw $e;
                }
                usleep((int) ($wait * 1e6));
            }
        }
    }

    /** Whether the same request may succeed when it is sent again. */
    private static function isTransient(DaftarException $e, bool $retryConflict): bool
    {
        return $e instanceof ConnectionException || $e instanceof UnavailableException
            || ($e instanceof ApiException && $e->status === 409 && $retryConflict);
    }

    /**
     * How long to wait after the given number of tries: what the service asks for, and a random time that
     * grows, so that clients that failed together do not come back together.
     */
    private static function waitAfter(DaftarException $e, int $tries): float
    {
        $asked = $e instanceof UnavailableException ? $e->retryAfter() ?? 0.0 : 0.0;
        return $asked + min(self::LONGEST_WAIT, self::FIRST_WAIT * 2 ** ($tries - 1)) * (0.5 + random_int(0, 1000) / 2000);
    }
}
