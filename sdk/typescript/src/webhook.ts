import { createHmac, timingSafeEqual } from 'node:crypto';

import { SignatureError } from './errors.js';

/** What happened, as a webhook tells it. It has no status: retrieve the intent. */
export interface WebhookEvent {
  /** The `webhook-id`: the same however often this event is sent. */
  id: string;
  /** Such as `payment_intent.succeeded`. Ignore types that you do not know. */
  type: string;
  /** When it happened. */
  timestamp: string;
  data: {
    /** The intent. A `webhook.test` has none. */
    uuid?: string;
    reference?: string;
    merchant_reference?: string;
    /** The number of the event in the life of its intent. */
    sequence?: number;
    /** The payment came after the intent was canceled. */
    late?: boolean;
    /** The refund that it is about; `failure_reason` says why nothing went back. */
    refund?: { uuid: string; amount: number; currency: string; failure_reason?: string };
    [field: string]: unknown;
  };
}

/**
 * The headers of a request: those of node:http, a plain object, or anything with a `get` that knows
 * them by name in lower case, as the Headers of fetch, of undici and of node-fetch have.
 */
export type WebhookHeaders = { get(name: string): unknown } | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** How far the webhook's time may be from now, in seconds (300). */
  tolerance?: number;
  /** The time, in seconds since 1970 (this machine's clock). */
  now?: number;
}

/**
 * Returns the event of a webhook whose signature is good, and throws a SignatureError otherwise.
 *
 * @param body The bytes of the request, before any JSON parsing: what was parsed and written
 *   again has other bytes.
 * @param secret The webhook secret (`whsec_…`); several while a new one is being introduced.
 */
export function verifyWebhook(
  body: Uint8Array | string,
  headers: WebhookHeaders,
  secret: string | string[],
  options: VerifyOptions = {},
): WebhookEvent {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const now = options.now ?? Date.now() / 1000;
  if (!/^[0-9]+$/.test(timestamp) || Math.abs(now - Number(timestamp)) > (options.tolerance ?? 300)) {
    throw new SignatureError('The webhook has no timestamp, or one that is too far from now.');
  }
  const given = header(headers, 'webhook-signature').split(' ').map((signature) => Buffer.from(signature));
  const good = [secret].flat().some((one) => {
    const expected = Buffer.from('v1,' + sign(one, `${id}.${timestamp}.`, body));
    return given.some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
  });
  if (!good) {
    throw new SignatureError('None of the signatures of the webhook is right.');
  }
  return read(id, body);
}

function sign(secret: string, prefix: string, body: Uint8Array | string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length === 0) {
    // Anybody could sign with an empty key.
    throw new TypeError('The webhook secret is empty.');
  }
  return createHmac('sha256', key).update(prefix).update(body).digest('base64');
}

function header(headers: WebhookHeaders, name: string): string {
  // There are many copies of Headers, and where tests run none may be global.
  const found: unknown = asksByName(headers) ? headers.get(name) : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const first: unknown = Array.isArray(found) ? found[0] : found;
  return typeof first === 'string' ? first : '';
}

function asksByName(headers: WebhookHeaders): headers is { get(name: string): unknown } {
  return typeof headers.get === 'function';
}

function read(id: string, body: Uint8Array | string): WebhookEvent {
  let event: Omit<WebhookEvent, 'id'> | null = null;
  try {
    event = JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'));
  } catch {
    // Below.
  }
  if (typeof event?.type !== 'string' || typeof event.data !== 'object' || event.data === null) {
    throw new SignatureError('The webhook is signed, but its body is no event.');
  }
  return { ...event, id };
}
