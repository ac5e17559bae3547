// A shop that is paid through Daftar. README.md says how to start it and what it shows.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

import { Daftar, DaftarError, SignatureError, verifyWebhook } from '@daftar/sdk';

import { follow } from './follow.mjs';
import { Orders, products } from './orders.mjs';
import { awayPage, missingPage, orderPage, shopPage } from './page.mjs';

const { PORT = '3000', SHOP_URL = `http://127.0.0.1:${PORT}`, SHOP_JOURNAL = 'shop.journal', RECONCILE_SECONDS = '60' } = process.env;
// Two, with a space between them, while a new one is being introduced.
const secrets = (process.env.DAFTAR_WEBHOOK_SECRET ?? '').split(' ');
// A customer waits for the page: better "try again" after ten seconds than a blank one.
const daftar = Daftar.fromEnvironment({ timeout: 5, retryFor: 5 });

/** @typedef {{ status: number, body?: string, location?: string }} Reply */

/**
 * Asks for an order's intent. It may be repeated with the same reference: there is only ever one.
 *
 * @param {import('./orders.mjs').Order} order
 * @param {string} [query]
 */
async function ask(order, query = '') {
  const { intent, differs } = await daftar.createPaymentIntent({
    merchant_reference: order.reference,
    amount: order.amount,
    currency: order.currency,
    description: products.find((product) => product.id === order.product)?.ar ?? order.product,
    return_url: `${SHOP_URL}/orders/${order.reference}${query}`,
  });
  // The page to come back to may be in the other language.
  if (differs.some((field) => field !== 'return_url')) throw new Error(`two orders have the reference ${order.reference}: ${differs}`);
  await orders.asked(order, intent);
}

/**
 * The customer buys: the order is on disk before Daftar is asked, so a crash in between loses nothing.
 *
 * @param {URLSearchParams} fields
 * @returns {Promise<Reply>}
 */
async function buy(fields) {
  const lang = language(fields);
  const reference = fields.get('reference') ?? '';
  const product = products.find((one) => one.id === fields.get('product'));
  if (!product || !/^order-[0-9a-f-]{36}$/.test(reference)) return { status: 400, body: missingPage(lang) };
  const order = await orders.place(reference, product);
  const query = lang === 'en' ? '?lang=en' : '';
  try {
    if (order.checkout_url === undefined) await ask(order, query);
  } catch (error) {
    console.error(`Order ${reference}:`, error);
    return { status: 503, body: awayPage(lang, order) };
  }
  return { status: 303, location: order.checkout_url + query };
}

/**
 * The customer has come back. That proves nothing: anybody can open this page.
 *
 * @param {string} reference
 * @param {'ar' | 'en'} lang
 * @returns {Promise<Reply>}
 */
async function show(reference, lang) {
  const order = orders.all.get(reference);
  if (!order) return { status: 404, body: missingPage(lang) };
  if (order.state !== 'fulfilled' && order.uuid !== undefined) {
    try {
      await orders.settle(await daftar.retrievePaymentIntent(order.uuid));
    } catch (error) {
      if (!(error instanceof DaftarError)) throw error;
      console.error(`Order ${reference}:`, error.message); // the page says what the shop knows
    }
  }
  return { status: 200, body: orderPage(lang, order) };
}

/**
 * A webhook is verified, written down and answered. What it means is found out afterwards.
 *
 * @param {Buffer} body its raw bytes
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @returns {Promise<Reply>}
 */
async function receive(body, headers) {
  let event;
  try {
    event = verifyWebhook(body, headers, secrets);
  } catch (error) {
    if (error instanceof SignatureError) return { status: 401 };
    throw error;
  }
  await orders.received({ id: event.id, type: event.type, uuid: event.data.uuid, reference: event.data.merchant_reference });
  return { status: 204 };
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<Reply>}
 */
async function answer(request) {
  const { pathname, searchParams } = new URL(request.url ?? '/', SHOP_URL);
  const body = await read(request);
  switch (`${request.method} ${pathname}`) {
    case 'GET /':
      return { status: 200, body: shopPage(language(searchParams), () => `order-${randomUUID()}`) };
    case 'POST /orders':
      return buy(new URLSearchParams(body.toString('utf8')));
    case 'POST /webhooks':
      return receive(body, request.headers);
  }
  if (request.method === 'GET' && pathname.startsWith('/orders/')) return show(pathname.slice('/orders/'.length), language(searchParams));
  return { status: 404, body: missingPage(language(searchParams)) };
}

/** @param {import('node:http').IncomingMessage} request */
async function read(request) {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > 1 << 20) throw new Error('a request is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * @param {URLSearchParams} from
 * @returns {'ar' | 'en'}
 */
const language = (from) => (from.get('lang') === 'en' ? 'en' : 'ar');

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function handle(request, response) {
  /** @type {Reply} */
  let reply = { status: 500 };
  try {
    await ready;
    reply = await answer(request);
  } catch (error) {
    console.error(`${request.method} ${request.url}:`, error);
  }
  response.writeHead(reply.status, { 'Content-Type': 'text/html; charset=utf-8', ...(reply.location && { Location: reply.location }) });
  response.end(reply.body);
}

/** @type {Orders} */
let orders;
const server = createServer(handle).listen(Number(PORT), '127.0.0.1');
// Only the process that has the port opens the journal, so there are never two.
const ready = once(server, 'listening').then(async () => (orders = await Orders.open(SHOP_JOURNAL)));
await ready;
console.log(`The shop is open at ${SHOP_URL}`);
await follow(await ready, daftar, ask, Number(RECONCILE_SECONDS) * 1000);
