curl -s "$DAFTAR_API_URL/openapi.yaml"
