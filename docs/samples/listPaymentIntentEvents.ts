import { Daftar } from '@daftar/sdk';

const daftar = Daftar.fromEnvironment();
for (const event of await daftar.listPaymentIntentEvents(process.argv[2])) {
  console.log(event.sequence, event.type);
}
