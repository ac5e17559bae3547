// Orders, and the rule by which they are fulfilled: at most once, and only if the API says that
// they are paid.
import { Journal } from './journal.mjs';

/** What the shop sells. The price comes from here, never from the form. */
export const products = [
  { id: 'coffee', ar: 'قهوة عربية', en: 'Arabic coffee', amount: 5000, currency: /** @type {const} */ ('LYD') },
  { id: 'dates', ar: 'علبة تمر', en: 'Box of dates', amount: 42500, currency: /** @type {const} */ ('LYD') },
];

/**
 * @typedef {object} Order
 * @property {string} reference what Daftar knows as merchant_reference
 * @property {string} product
 * @property {number} amount
 * @property {'LYD'} currency
 * @property {number} at when it was placed, in milliseconds since 1970
 * @property {'open' | 'fulfilled' | 'canceled'} state
 * @property {string} [uuid] the intent's
 * @property {string} [checkout_url]
 * @property {boolean} [paidTwice] the second payment is to be given back
 * @property {number} [checkedAt] when the API was last asked without a webhook
 *
 * @typedef {{ id: string, type: string, uuid?: string, reference?: string }} Webhook
 *
 * @typedef {{ did: 'placed', reference: string, product: string, amount: number, currency: 'LYD', at: number }
 *   | { did: 'asked', reference: string, uuid: string, checkout_url: string }
 *   | { did: 'received', webhook: Webhook }
 *   | { did: 'dealt', id: string }
 *   | { did: 'fulfilled', reference: string }
 *   | { did: 'canceled', reference: string }
 *   | { did: 'paid_twice', reference: string }} Entry
 */

export class Orders {
  /** @type {Map<string, Order>} */
  all = new Map();
  /** Webhooks that are written down and not dealt with yet, by their id. @type {Map<string, Webhook>} */
  inbox = new Map();
  /** The ids of all webhooks. @type {Set<string>} */
  #seen = new Set();
  /** @type {Journal<Entry>} */
  #journal = /** @type {any} */ (undefined);

  /** @param {string} path of the journal */
  static async open(path) {
    const orders = new Orders();
    orders.#journal = await Journal.open(path, (/** @type {Entry} */ entry) => orders.#apply(entry));
    return orders;
  }

  /** @param {Entry} entry */
  #apply(entry) {
    const order = 'reference' in entry ? this.all.get(entry.reference) : undefined;
    switch (entry.did) {
      case 'placed': {
        const { did, ...fields } = entry;
        this.all.set(entry.reference, { ...fields, state: 'open' });
        break;
      }
      case 'asked':
        if (order) Object.assign(order, { uuid: entry.uuid, checkout_url: entry.checkout_url });
        break;
      case 'received':
        this.#seen.add(entry.webhook.id);
        this.inbox.set(entry.webhook.id, entry.webhook);
        break;
      case 'dealt':
        this.inbox.delete(entry.id);
        break;
      case 'fulfilled':
      case 'canceled':
        if (order) order.state = entry.did;
        break;
      case 'paid_twice':
        if (order) order.paidTwice = true;
        break;
    }
  }

  /**
   * Places an order once, however often the form is sent.
   *
   * @param {string} reference
   * @param {typeof products[number]} product
   */
  async place(reference, product) {
    const known = this.all.get(reference);
    if (known) return known;
    const { id, amount, currency } = product;
    await this.#journal.append({ did: 'placed', reference, product: id, amount, currency, at: Date.now() });
    return /** @type {Order} */ (this.all.get(reference));
  }

  /**
   * Writes down which intent an order has.
   *
   * @param {Order} order
   * @param {import('@daftar/sdk').PaymentIntent} intent
   */
  async asked(order, intent) {
    if (order.uuid === undefined) {
      await this.#journal.append({ did: 'asked', reference: order.reference, uuid: intent.uuid, checkout_url: intent.checkout_url });
    }
  }

  /**
   * Writes a webhook down. When the promise resolves it is on disk: a crash does not lose it.
   *
   * @param {Webhook} webhook
   */
  async received(webhook) {
    if (!this.#seen.has(webhook.id)) await this.#journal.append({ did: 'received', webhook });
  }

  /** @param {string} id a webhook that was dealt with */
  dealt(id) {
    return this.#journal.append({ did: 'dealt', id });
  }

  /**
   * Writes down that an order was paid a second time, for the person who gives that money back.
   *
   * @param {Order} order
   */
  async paidTwice(order) {
    if (!order.paidTwice) await this.#journal.append({ did: 'paid_twice', reference: order.reference });
  }

  /**
   * Brings an order to what the API says of its intent. This is the only place where an order is
   * fulfilled. Between the look at the state and the change of it nothing is awaited, so of two that
   * come at the same time one finds the order fulfilled.
   *
   * @param {import('@daftar/sdk').PaymentIntent} intent as it was retrieved
   */
  async settle(intent) {
    const order = this.all.get(intent.merchant_reference ?? '');
    if (!order) return; // not of this shop
    if (intent.amount !== order.amount || intent.currency !== order.currency) {
      console.error(`Order ${order.reference} is not what intent ${intent.uuid} was made for: a person must look.`);
      return;
    }
    if (intent.status === 'succeeded' && order.state !== 'fulfilled') {
      // Also where the order was canceled: a late payment is a payment. A shop that has sold the goods
      // to somebody else gives the money back instead.
      // The entry is the fulfilment: whoever packs parcels works through these. If you call another
      // system instead, give it the reference, so that it can refuse the second call after a crash.
      await this.#journal.append({ did: 'fulfilled', reference: order.reference });
      console.log(`fulfilled ${order.reference}`);
    } else if (intent.status === 'canceled' && order.state === 'open') {
      await this.#journal.append({ did: 'canceled', reference: order.reference });
    }
  }
}
