# The SDKs are for shops, not for accountants' software.
import json, os, urllib.request

request = urllib.request.Request(os.environ["DAFTAR_API_URL"] + "/books/journal?limit=1000", headers={
    "X-API-Key": os.environ["DAFTAR_API_KEY"],
    "Authorization": "Bearer " + os.environ["DAFTAR_ACCESS_TOKEN"],
    "Accept": "application/json",
})
for entry in json.load(urllib.request.urlopen(request))["data"]:
    for line in entry["lines"]:
        print(entry["kind"], line["account"], line["amount"])
