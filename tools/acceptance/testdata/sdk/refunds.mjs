// refunds.mjs FROM TO INTENT...: gives money of the intents back, in refunds with these numbers, sixteen
// at a time, and prints what it was told of each. No two refunds have the same amount.
const { Daftar } = await import(process.env.SDK);

const daftar = Daftar.fromEnvironment({ retryFor: 60 });
const [from, to, ...intents] = process.argv.slice(2);
let next = Number(from);
const end = Number(to);
await Promise.all(Array.from({ length: 16 }, async () => {
  while (next < end) {
    const n = next++;
    const reference = `refund-${n}`;
    const { refund, replayed, differs } = await daftar.createRefund(intents[n % intents.length], { refund_reference: reference, amount: 100 + n });
    console.log(JSON.stringify({ reference, uuid: refund.uuid, named: refund.refund_reference, intent: refund.payment_intent, amount: refund.amount, replayed, differs }));
  }
}));
