"""Swaps 0.1 SOL for USDC. Start Sluice with `npm start`, then run `python3 examples/python/order.py`."""

import base64
import json
import os
import urllib.error
import urllib.parse
import urllib.request

import ed25519

SWAP = os.environ.get("SLUICE_URL", "http://127.0.0.1:8787") + "/swap/v2"
WALLET = os.environ.get("SLUICE_WALLET", ".sluice/demo-wallet.json")
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def base58(data):
    number = int.from_bytes(data, "big")
    text = ""
    while number > 0:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SWAP + path, data, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as refused:
        raise SystemExit(f"{path.split('?')[0]} answered {refused.code}: {refused.read().decode()}")


def sign(transaction, key):
    """Puts the signature into its place: the order of the signatures is that of the first accounts."""
    signatures = transaction[0]  # A compact number; a transaction never has 128 signatures.
    message = transaction[1 + 64 * signatures :]
    # The message begins with its version (128), three counts and the number of accounts.
    accounts = [message[5 + 32 * index :][:32] for index in range(signatures)]
    place = 1 + 64 * accounts.index(key[32:])
    return transaction[:place] + ed25519.sign(key[:32], message) + transaction[place + 64 :]


with open(WALLET) as file:
    key = bytes(json.load(file))  # 32 secret bytes, then the 32 bytes of the address
query = urllib.parse.urlencode(
    {
        "inputMint": "So11111111111111111111111111111111111111112",
        "outputMint": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
        "amount": 100_000_000,
        "taker": base58(key[32:]),
    }
)
order = call(f"/order?{query}")
if not order["transaction"]:
    raise SystemExit(order["error"])
signed = sign(base64.b64decode(order["transaction"]), key)
result = call(
    "/execute",
    {"requestId": order["requestId"], "signedTransaction": base64.b64encode(signed).decode()},
)
if result["status"] != "Success":
    raise SystemExit(f"{result['code']}: {result['error']}")
print(f"0.1 SOL became {int(result['totalOutputAmount']) / 1e6} USDC in {result['signature']}")
