// Does what a merchant does, and prints what came of it: contract.php prints the same.
const sdk = await import(process.env.SDK);
const { Daftar } = sdk;

const { DAFTAR_API_URL: baseUrl, DAFTAR_API_KEY: apiKey, DAFTAR_ACCESS_TOKEN: accessToken, OTHERS, PAID, NOWHERE, REDIRECT } = process.env;
const daftar = Daftar.fromEnvironment();
const order = {
  merchant_reference: 'order-1', amount: 5000, currency: 'LYD', description: 'قهوة', customer: { external_id: 'customer-77' },
  metadata: { branch: 'طرابلس' }, return_url: 'https://shop.example/orders/1',
};

const told = (created) => `replayed ${created.replayed}, differs ${JSON.stringify(created.differs)}`;

async function fails(what, call) {
  try {
    await call();
    console.log(`${what}: no error`);
  } catch (e) {
    const kind = e.name.replace(/(Error|Exception)$/, '');
    const id = e.requestId ? ', with request id' : '';
    const fields = e.errors ? ' ' + Object.keys(e.errors).join(' ') : '';
    console.log(`${what}: ${e instanceof TypeError ? 'argument' : kind + (e.status ? ` ${e.status} ${e.message}` : '')}${fields}${id}`);
  }
}

const first = await daftar.createPaymentIntent(order);
const { intent } = first;
console.log(`first: ${told(first)}, ${intent.status}, ${intent.amount}, ${intent.customer.external_id}, ${JSON.stringify(intent.metadata)}`);
console.log(`again: ${told(await daftar.createPaymentIntent(order))}`);
const other = await daftar.createPaymentIntent({ ...order, amount: 9000, description: 'شاي' });
console.log(`other: ${told(other)}, ${other.intent.amount}`);
const retrieved = await daftar.retrievePaymentIntent(intent.uuid);
console.log(`retrieved: ${JSON.stringify(retrieved) === JSON.stringify(intent) ? 'the same' : 'another'}`);

for (const n of [1, 2, 3]) await daftar.createPaymentIntent({ ...order, merchant_reference: `listed-${n}`, customer: { external_id: 'customer-88' } });
const filter = { customer_external_id: 'customer-88', limit: 2 };
const page = await daftar.listPaymentIntents(filter);
const all = [];
for await (const one of daftar.paymentIntents(filter)) all.push(one);
console.log(`listed: ${page.data.length}${page.next_cursor ? ' and more' : ''}, ${all.map((one) => one.merchant_reference).join(' ')}`);
const ended = await daftar.expirePaymentIntent(all[0].uuid);
const again = await daftar.expirePaymentIntent(all[0].uuid);
console.log(`expired: ${ended.status}, ${again.status}`);
const events = await daftar.listPaymentIntentEvents(all[0].uuid);
console.log(`events: ${events.map((one) => `${one.sequence} ${one.type} ${one.amount ?? one.reason}`).join(', ')}`);
await fails('filter', () => daftar.listPaymentIntents({ limit: 0 }));
await fails('expire', () => daftar.expirePaymentIntent('00000000-0000-4000-8000-000000000000'));
await fails('events of others', () => daftar.listPaymentIntentEvents(OTHERS));

const part = { refund_reference: 'refund-1', amount: 1500, reason: 'برد' };
const given = await daftar.createRefund(PAID, part);
const { refund } = given;
console.log(`refund: ${told(given)}, ${refund.status}, ${refund.amount} ${refund.currency}, ${refund.reason}, ${refund.failure_reason}`);
console.log(`refund again: ${told(await daftar.createRefund(PAID, part))}`);
const elsewhere = await daftar.createRefund(intent.uuid, { ...part, amount: 900 });
console.log(`refund elsewhere: ${told(elsewhere)}, ${elsewhere.refund.payment_intent === PAID ? 'the first' : 'another'}`);
console.log(`refunds: ${(await daftar.listRefunds(PAID)).map((one) => one.refund_reference).join(' ')}, ${(await daftar.retrieveRefund(refund.uuid)).refund_reference}`);
await fails('refund too much', () => daftar.createRefund(PAID, { refund_reference: 'refund-2', amount: 3501 }));
await fails('refund unpaid', () => daftar.createRefund(intent.uuid, { refund_reference: 'refund-2' }));
await fails('refund of others', () => daftar.createRefund(OTHERS, { refund_reference: 'refund-2' }));
await fails('no refund', () => daftar.retrieveRefund('00000000-0000-4000-8000-000000000000'));
await fails('no uuid of a refund', () => daftar.retrieveRefund('refund-1'));

await fails('unknown', () => daftar.retrievePaymentIntent('00000000-0000-4000-8000-000000000000'));
await fails('others', () => daftar.retrievePaymentIntent(OTHERS));
await fails('key', () => new Daftar({ baseUrl, accessToken, apiKey: 'pk_wrong' }).retrievePaymentIntent(intent.uuid));
await fails('token', () => new Daftar({ baseUrl, accessToken: 'at_wrong', apiKey }).retrievePaymentIntent(intent.uuid));
await fails('fields', () => daftar.createPaymentIntent({ ...order, merchant_reference: 'order-2', amount: 1, metadata: { k: 7 } }));
await fails('no uuid', () => daftar.retrievePaymentIntent('../payment-intents'));
await fails('no address', async () => new Daftar({ baseUrl: 'pay.example', accessToken, apiKey }));
await fails('line end', async () => new Daftar({ baseUrl, accessToken: accessToken + '\n', apiKey }));
await fails('nobody', () => new Daftar({ baseUrl: NOWHERE, accessToken, apiKey, retryFor: 0 }).createPaymentIntent(order));
await fails('redirect', () => new Daftar({ baseUrl: REDIRECT, accessToken, apiKey }).createPaymentIntent(order));
