import { Daftar } from '@daftar/sdk';

const daftar = Daftar.fromEnvironment();
const { refund } = await daftar.createRefund(process.argv[2], {
  refund_reference: 'order-1001.refund-1', // yours: store it before you ask
  amount: 1500, // without it, all that is left
  reason: 'One coffee was cold',
});
console.log(refund.status); // pending, as a rule
