import { Daftar } from '@daftar/sdk';

const daftar = Daftar.fromEnvironment();
const intent = await daftar.expirePaymentIntent(process.argv[2]);
console.log(intent.status); // canceled: nobody can pay it now
