# A page; its next_cursor, where there is one, is the cursor of the next.
curl -s -G "$DAFTAR_API_URL/payment-intents" -d status=succeeded -d limit=100 \
  -H "X-API-Key: $DAFTAR_API_KEY" -H "Authorization: Bearer $DAFTAR_ACCESS_TOKEN" \
  -H 'Accept: application/json'
