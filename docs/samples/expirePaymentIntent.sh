curl -s -X POST -H 'Content-Length: 0' "$DAFTAR_API_URL/payment-intents/$1/expire" \
  -H "X-API-Key: $DAFTAR_API_KEY" -H "Authorization: Bearer $DAFTAR_ACCESS_TOKEN" \
  -H 'Accept: application/json'
