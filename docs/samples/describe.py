import os, urllib.request

with urllib.request.urlopen(os.environ["DAFTAR_API_URL"] + "/openapi.yaml") as answer:
    print(answer.read().decode())
