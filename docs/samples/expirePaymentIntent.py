import sys
from daftar import Client

client = Client.from_environment()
intent = client.expire_payment_intent(sys.argv[1])
print(intent.status)  # canceled: nobody can pay it now
