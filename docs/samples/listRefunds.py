import sys
from daftar import Client

client = Client.from_environment()
for refund in client.list_refunds(sys.argv[1]):
    print(refund.amount, refund.status)
