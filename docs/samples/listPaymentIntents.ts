import { Daftar } from '@daftar/sdk';

const daftar = Daftar.fromEnvironment();
for await (const intent of daftar.paymentIntents({ status: 'succeeded' })) { // page after page
  console.log(intent.merchant_reference);
}
