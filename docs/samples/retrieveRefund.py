import sys
from daftar import Client

client = Client.from_environment()
refund = client.retrieve_refund(sys.argv[1])
print(refund.status)
