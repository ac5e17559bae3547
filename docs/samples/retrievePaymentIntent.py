import sys
from daftar import Client

client = Client.from_environment()
intent = client.retrieve_payment_intent(sys.argv[1])
print(intent.status)  # fulfil the order only when it is succeeded
