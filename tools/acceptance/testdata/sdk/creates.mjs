// creates.mjs FROM TO: creates intents of the orders with these numbers, sixteen at a time, and prints
// what it was told of each.
const { Daftar } = await import(process.env.SDK);

const daftar = Daftar.fromEnvironment({ retryFor: 60 });
let next = Number(process.argv[2]);
const end = Number(process.argv[3]);
await Promise.all(Array.from({ length: 16 }, async () => {
  while (next < end) {
    const reference = `order-${next++}`;
    const { intent, replayed, differs } = await daftar.createPaymentIntent({ merchant_reference: reference, amount: 5000, currency: 'LYD', description: 'Two coffees' });
    console.log(JSON.stringify({ reference, uuid: intent.uuid, named: intent.merchant_reference, replayed, differs }));
  }
}));
