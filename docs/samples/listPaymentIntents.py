from daftar import Client

client = Client.from_environment()
for intent in client.payment_intents(status="succeeded"):  # page after page
    print(intent.merchant_reference)
