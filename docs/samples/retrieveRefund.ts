import { Daftar } from '@daftar/sdk';

const daftar = Daftar.fromEnvironment();
const refund = await daftar.retrieveRefund(process.argv[2]);
console.log(refund.status);
