// The SDKs leave this to daftar listen.
const { DAFTAR_API_URL, DAFTAR_API_KEY = '', DAFTAR_ACCESS_TOKEN } = process.env;
const answer = await fetch(`${DAFTAR_API_URL}/webhook-deliveries?after=${process.argv[2]}`, {
  headers: { 'X-API-Key': DAFTAR_API_KEY, Authorization: `Bearer ${DAFTAR_ACCESS_TOKEN}`, Accept: 'application/json' },
});
const { data } = await answer.json() as { data: { type: string }[] };
for (const webhook of data) console.log(webhook.type);
