curl -s -G "$DAFTAR_API_URL/books/journal" -d limit=1000 \
  -H "X-API-Key: $DAFTAR_API_KEY" -H "Authorization: Bearer $DAFTAR_ACCESS_TOKEN" \
  -H 'Accept: application/json'
