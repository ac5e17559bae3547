import { randomUUID } from 'node:crypto';

import { ApiError, ConnectionError } from './errors.js';
import { ask, type Answer, type Request } from './request.js';
import { untilItEnds } from './retry.js';
import type {
  CreatedPaymentIntent,
  CreatedRefund,
  CreatePaymentIntent,
  CreateRefund,
  ListFilter,
  PaymentIntent,
  PaymentIntentEvent,
  PaymentIntentPage,
  Refund,
} from './types.js';

export interface DaftarOptions {
  /** With the version, such as `https://pay.example.ly/api/v1`. */
  baseUrl: string;
  /** `pk_…`: identifies the application. */
  apiKey: string;
  /** `at_…`: identifies the organisation. */
  accessToken: string;
  /** How long one attempt may take, in seconds (15). */
  timeout?: number;
  /**
   * For how long a request is tried again while the service cannot be reached or is busy, in seconds,
   * beside the last attempt (30). 0: once. Give a page that a customer waits for less, and a batch more.
   */
  retryFor?: number;
}

/** What a header can carry: a line end read from a file would fail every request. */
const credential = /^[\x21-\x7e]+$/;

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A client of the API. All its methods may be called again after any error without anything being
 * done twice. They reject with an ApiError for what the API refuses and a ConnectionError where no
 * answer came; a TypeError says that an argument is wrong.
 */
export class Daftar {
  readonly #options: Required<DaftarOptions>;

  constructor(options: DaftarOptions) {
    if (!/^https?:\/\/./.test(options.baseUrl)) {
      throw new TypeError('baseUrl must be an http or https address.');
    }
    if (!credential.test(options.apiKey) || !credential.test(options.accessToken)) {
      throw new TypeError('apiKey and accessToken are needed, without spaces or line ends.');
    }
    this.#options = { timeout: 15, retryFor: 30, ...options, baseUrl: options.baseUrl.replace(/\/+$/, '') };
  }

  /** Reads DAFTAR_API_URL, DAFTAR_API_KEY and DAFTAR_ACCESS_TOKEN. */
  static fromEnvironment(options: Partial<DaftarOptions> = {}): Daftar {
    const { DAFTAR_API_URL = '', DAFTAR_API_KEY = '', DAFTAR_ACCESS_TOKEN = '' } = process.env;
    return new Daftar({ baseUrl: DAFTAR_API_URL, apiKey: DAFTAR_API_KEY, accessToken: DAFTAR_ACCESS_TOKEN, ...options });
  }

  /**
   * Creates an intent, or finds the one that was created with the same `merchant_reference`.
   * Keep the reference with the order before you call: with it the call can be repeated.
   */
  async createPaymentIntent(fields: CreatePaymentIntent): Promise<CreatedPaymentIntent> {
    const { headers, body } = await this.#send<{ data: PaymentIntent }>({
      method: 'POST',
      path: '/payment-intents',
      body: JSON.stringify(fields),
      // The reference was being changed by other requests, and nothing was done.
      retryConflict: true,
    });
    return { intent: body.data, ...replay(headers) };
  }

  /** The intent as it stands now. An order is paid only when its `status` is `succeeded`. */
  async retrievePaymentIntent(uuid: string): Promise<PaymentIntent> {
    const { body } = await this.#send<{ data: PaymentIntent }>({ method: 'GET', path: pathOf(uuid) });
    return body.data;
  }

  /** One page of this application's intents, newest first. */
  async listPaymentIntents(filter: ListFilter & { cursor?: string } = {}): Promise<PaymentIntentPage> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(filter)) {
      if (value !== undefined) query.set(name, String(value));
    }
    const { body } = await this.#send<PaymentIntentPage>({
      method: 'GET',
      path: '/payment-intents' + (query.size > 0 ? `?${query}` : ''),
    });
    return body;
  }

  /** All of this application's intents that match, newest first, page after page. */
  async *paymentIntents(filter: ListFilter = {}): AsyncGenerator<PaymentIntent, void, undefined> {
    let cursor: string | null = null;
    do {
      const page: PaymentIntentPage = await this.listPaymentIntents(cursor === null ? filter : { ...filter, cursor });
      yield* page.data;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /**
   * Cancels an intent that nobody has begun to pay. One that is canceled already stays so; a
   * ConflictError says that it is being paid or is paid.
   */
  async expirePaymentIntent(uuid: string): Promise<PaymentIntent> {
    const { body } = await this.#send<{ data: PaymentIntent }>({ method: 'POST', path: pathOf(uuid) + '/expire' });
    return body.data;
  }

  /** What happened to an intent, oldest first. */
  async listPaymentIntentEvents(uuid: string): Promise<PaymentIntentEvent[]> {
    const { body } = await this.#send<{ data: PaymentIntentEvent[] }>({ method: 'GET', path: pathOf(uuid) + '/events' });
    return body.data;
  }

  /**
   * Gives money of a paid intent back, or finds the refund that was created with the same
   * `refund_reference`. Keep the reference with the order before you call: with it the call can be
   * repeated. A new refund is `pending`: how it ended is in a webhook, and in what retrieveRefund
   * returns. It needs an access token with the scope `refunds`; a ConflictError says that this money
   * cannot go back.
   */
  async createRefund(intent: string, fields: CreateRefund): Promise<CreatedRefund> {
    const { headers, body } = await this.#send<{ data: Refund }>({
      method: 'POST',
      path: pathOf(intent) + '/refunds',
      body: JSON.stringify(fields),
    });
    return { refund: body.data, ...replay(headers) };
  }

  /** All refunds of an intent, oldest first, also those that people requested. */
  async listRefunds(intent: string): Promise<Refund[]> {
    const { body } = await this.#send<{ data: Refund[] }>({ method: 'GET', path: pathOf(intent) + '/refunds' });
    return body.data;
  }

  /** The refund as it stands now. */
  async retrieveRefund(uuid: string): Promise<Refund> {
    const { body } = await this.#send<{ data: Refund }>({ method: 'GET', path: `/refunds/${checked(uuid, 'refund')}` });
    return body.data;
  }

  async #send<T extends { data: object }>(request: Request): Promise<Answer<T>> {
    const { timeout, retryFor } = this.#options;
    // The same on every attempt, so that support finds all of them.
    const requestId = randomUUID();
    return untilItEnds(retryFor, (error) => isTransient(error, request), () => ask<T>(this.#options, request, requestId, timeout));
  }
}

function pathOf(intent: string): string {
  return `/payment-intents/${checked(intent, 'payment intent')}`;
}

/** A uuid that is none must not become another path. */
function checked(uuid: string, of: string): string {
  if (!uuidForm.test(uuid)) {
    throw new TypeError(`${JSON.stringify(uuid)} is not the uuid of a ${of}.`);
  }
  return uuid;
}

/** What the headers say of a request whose reference was used before. */
function replay(headers: Headers): { replayed: boolean; differs: string[] } {
  return {
    replayed: headers.get('Idempotent-Replayed') === 'true',
    differs: headers.get('Idempotent-Replayed-Differs')?.split(', ') ?? [],
  };
}

/** Whether the same request may succeed when it is sent again. */
function isTransient(error: unknown, request: Request): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError)) return false;
  return error.status >= 500 || error.status === 408 || error.status === 429 || (error.status === 409 && request.retryConflict === true);
}
