curl -s "$DAFTAR_API_URL/payment-intents" \
  -H "X-API-Key: $DAFTAR_API_KEY" -H "Authorization: Bearer $DAFTAR_ACCESS_TOKEN" \
  -H 'Accept: application/json' -H 'Content-Type: application/json' \
  -d '{"merchant_reference":"order-1001","amount":5000,"currency":"LYD","description":"Two coffees"}'
