// The SDKs are for shops, not for accountants' software.
const { DAFTAR_API_URL, DAFTAR_API_KEY = '', DAFTAR_ACCESS_TOKEN } = process.env;
const answer = await fetch(`${DAFTAR_API_URL}/books/balance`, {
  headers: { 'X-API-Key': DAFTAR_API_KEY, Authorization: `Bearer ${DAFTAR_ACCESS_TOKEN}`, Accept: 'application/json' },
});
const { data } = await answer.json() as { data: { accounts: { account: string; balance: number }[] } };
for (const one of data.accounts) console.log(one.account, one.balance);
