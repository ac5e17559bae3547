import sys
from daftar import Client

client = Client.from_environment()
created = client.create_refund(
    sys.argv[1],
    refund_reference="order-1001.refund-1",  # yours: store it before you ask
    amount=1500,  # without it, all that is left
    reason="One coffee was cold",
)
print(created.refund.status)  # pending, as a rule
