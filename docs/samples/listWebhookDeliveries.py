# The SDKs leave this to daftar listen.
import json, os, sys, urllib.request

request = urllib.request.Request(f"{os.environ['DAFTAR_API_URL']}/webhook-deliveries?after={sys.argv[1]}", headers={
    "X-API-Key": os.environ["DAFTAR_API_KEY"],
    "Authorization": "Bearer " + os.environ["DAFTAR_ACCESS_TOKEN"],
    "Accept": "application/json",
})
for webhook in json.load(urllib.request.urlopen(request))["data"]:
    print(webhook["type"])
