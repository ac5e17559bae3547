import { Daftar } from '@daftar/sdk';

const daftar = Daftar.fromEnvironment();
for (const refund of await daftar.listRefunds(process.argv[2])) {
  console.log(refund.amount, refund.status);
}
