import { ConnectionError, errorOf } from './errors.js';

/** A request to the API, which may be sent several times. */
export interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  /** Whether a 409 says that nothing was done yet. */
  retryConflict?: boolean;
}

/** A good answer. */
export interface Answer<T> {
  headers: Headers;
  body: T;
}

/** Who asks whom. */
export interface Access {
  baseUrl: string;
  apiKey: string;
  accessToken: string;
}

/**
 * Sends a request once. An answer that is not the API's, such as the page of a proxy, is no answer:
 * a ConnectionError.
 */
export async function ask<T extends { data: object }>(access: Access, request: Request, requestId: string, timeout: number): Promise<Answer<T>> {
  const headers: Record<string, string> = {
    Accept: 'application/json',
    Authorization: `Bearer ${access.accessToken}`,
    'X-API-Key': access.apiKey,
    'X-Request-Id': requestId,
    'User-Agent': `daftar-typescript/0.1.0 node/${process.versions.node}`,
  };
  if (request.body !== undefined) headers['Content-Type'] = 'application/json';
  let response: Response;
  let text: string;
  try {
    response = await fetch(access.baseUrl + request.path, {
      method: request.method,
      headers,
      body: request.body ?? null,
      cache: 'no-store', // frameworks that patch fetch keep answers to GET otherwise
      redirect: 'manual', // the credentials are for this address alone
      signal: AbortSignal.timeout(timeout * 1000), // also while the body comes
    });
    text = await response.text();
  } catch (cause) {
    throw new ConnectionError(`No answer from ${access.baseUrl}: ${reason(cause)}`, requestId, { cause });
  }
  const body = object(text);
  if (!response.ok) {
    throw errorOf({
      status: response.status,
      message: sentence(body) ?? `The service answered ${response.status}.`,
      requestId,
      errors: (body?.errors ?? {}) as Record<string, string[]>,
      retryAfter: retryAfter(response.headers),
    });
  }
  if (typeof body?.data !== 'object' || body.data === null) {
    throw new ConnectionError(`${access.baseUrl} answered ${response.status} with something that is not the API's.`, requestId);
  }
  return { headers: response.headers, body: body as T };
}

function reason(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return inner instanceof Error ? inner.message : String(inner);
}

/** The JSON object of a text, undefined where it is none. */
function object(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** What the API says in words; for a wrong API key the field is called `error`. */
function sentence(body: Record<string, unknown> | undefined): string | undefined {
  return [body?.message, body?.error].find((text) => typeof text === 'string');
}

/** The seconds of Retry-After, which may be a number or a date. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('Retry-After') ?? '';
  if (/^[0-9]{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}
