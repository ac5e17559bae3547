curl -s "$DAFTAR_API_URL/books/balance" \
  -H "X-API-Key: $DAFTAR_API_KEY" -H "Authorization: Bearer $DAFTAR_ACCESS_TOKEN" \
  -H 'Accept: application/json'
