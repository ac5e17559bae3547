// What the shop does in the background: it deals with the webhooks that were written down, and
// asks about orders of which it heard nothing.
import { setTimeout as sleep } from 'node:timers/promises';

import { NotFoundError, PermissionError } from '@daftar/sdk';

const day = 24 * 60 * 60 * 1000;

/**
 * @param {import('./orders.mjs').Orders} orders
 * @param {import('@daftar/sdk').Daftar} daftar
 * @param {(order: import('./orders.mjs').Order) => Promise<void>} ask asks for the intent of an order that has none yet
 * @param {number} every how often an order is asked about at most, in milliseconds
 */
export async function follow(orders, daftar, ask, every) {
  for (;;) {
    let pause = 200;
    try {
      await readInbox(orders, daftar);
      await reconcile(orders, daftar, ask, every);
    } catch (error) {
      // The service is away or busy, or a credential is being changed. What is not dealt with stays
      // where it is.
      console.error('Not now:', error instanceof Error ? error.message : error);
      pause = 1000;
    }
    await sleep(pause);
  }
}

/**
 * A webhook says that something happened. Whether the order is paid only the API says.
 *
 * @param {import('./orders.mjs').Orders} orders
 * @param {import('@daftar/sdk').Daftar} daftar
 */
async function readInbox(orders, daftar) {
  for (const { id, type, uuid, reference } of [...orders.inbox.values()]) {
    const order = orders.all.get(reference ?? '');
    if (order && uuid !== undefined) {
      try {
        await orders.settle(await daftar.retrievePaymentIntent(uuid));
      } catch (error) {
        // Of another application: asking again would not help.
        if (!(error instanceof NotFoundError || error instanceof PermissionError)) throw error;
        console.error(`Webhook ${id}:`, error.message);
      }
      if (type === 'payment_intent.duplicate_payment') await orders.paidTwice(order);
    }
    // Last: after a crash it is dealt with again, which changes nothing.
    await orders.dealt(id);
  }
}

/**
 * Webhooks can be lost: the shop was away for days, or its address was wrong. Orders that are not
 * fulfilled are asked about until nobody can pay for them any more, the older the rarer; canceled
 * ones, too, because a late payment may come.
 *
 * @param {import('./orders.mjs').Orders} orders
 * @param {import('@daftar/sdk').Daftar} daftar
 * @param {(order: import('./orders.mjs').Order) => Promise<void>} ask
 * @param {number} every
 */
async function reconcile(orders, daftar, ask, every) {
  const now = Date.now();
  for (const order of orders.all.values()) {
    const wait = Math.max(every, (now - order.at) / 4);
    if (order.state === 'fulfilled' || order.at < now - 40 * day || now - (order.checkedAt ?? order.at) < wait) continue;
    if (order.uuid === undefined) await ask(order); // the shop was killed before it knew
    if (order.uuid !== undefined) await orders.settle(await daftar.retrievePaymentIntent(order.uuid));
    order.checkedAt = now;
  }
}
