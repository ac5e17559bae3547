# The SDKs are for shops, not for accountants' software.
import json, os, urllib.request

request = urllib.request.Request(os.environ["DAFTAR_API_URL"] + "/books/balance", headers={
    "X-API-Key": os.environ["DAFTAR_API_KEY"],
    "Authorization": "Bearer " + os.environ["DAFTAR_ACCESS_TOKEN"],
    "Accept": "application/json",
})
for one in json.load(urllib.request.urlopen(request))["data"]["accounts"]:
    print(one["account"], one["balance"])
