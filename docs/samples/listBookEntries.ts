// The SDKs are for shops, not for accountants' software.
const { DAFTAR_API_URL, DAFTAR_API_KEY = '', DAFTAR_ACCESS_TOKEN } = process.env;
const answer = await fetch(`${DAFTAR_API_URL}/books/journal?limit=1000`, {
  headers: { 'X-API-Key': DAFTAR_API_KEY, Authorization: `Bearer ${DAFTAR_ACCESS_TOKEN}`, Accept: 'application/json' },
});
type Entry = { kind: string; lines: { account: string; amount: number }[] };
const { data } = await answer.json() as { data: Entry[] };
for (const { kind, lines } of data) {
  for (const line of lines) console.log(kind, line.account, line.amount);
}
