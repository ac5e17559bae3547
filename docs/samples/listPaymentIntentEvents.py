import sys
from daftar import Client

client = Client.from_environment()
for event in client.list_payment_intent_events(sys.argv[1]):
    print(event.sequence, event.type)
