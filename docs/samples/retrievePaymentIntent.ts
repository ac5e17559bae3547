import { Daftar } from '@daftar/sdk';

const daftar = Daftar.fromEnvironment();
const intent = await daftar.retrievePaymentIntent(process.argv[2]);
console.log(intent.status); // fulfil the order only when it is succeeded
