import { Daftar } from '@daftar/sdk';

const daftar = Daftar.fromEnvironment();
const { intent } = await daftar.createPaymentIntent({
  merchant_reference: 'order-1001', // yours: keep it with the order before you ask
  amount: 5000, // 5.000 LYD
  currency: 'LYD',
  description: 'Two coffees',
});
console.log(intent.checkout_url); // the customer pays there
