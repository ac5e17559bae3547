from daftar import Client

client = Client.from_environment()
created = client.create_payment_intent(
    merchant_reference="order-1001",  # yours: keep it with the order before you ask
    amount=5000,  # 5.000 LYD
    currency="LYD",
    description="Two coffees",
)
print(created.intent.checkout_url)  # the customer pays there
