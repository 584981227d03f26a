"""Swaps 0.1 SOL for USDC, signed with solders. Start Sluice with `npm start`, run `pip install solders`, then
`python3 examples/python/order_with_solders.py`. With SLUICE_PAYER, another wallet pays the fee and the rent.
"""

import base64
import json
import os
import urllib.error
import urllib.parse
import urllib.request

from solders.keypair import Keypair
from solders.message import to_bytes_versioned
from solders.transaction import VersionedTransaction

SWAP = os.environ.get("SLUICE_URL", "http://127.0.0.1:8787") + "/swap/v2"
WALLET = os.environ.get("SLUICE_WALLET", ".sluice/demo-wallet.json")
PAYER = os.environ.get("SLUICE_PAYER")


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SWAP + path, data, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as refused:
        raise SystemExit(f"{path.split('?')[0]} answered {refused.code}: {refused.read().decode()}")


def sign(transaction, *signers):
    """Adds the signatures of these signers, and leaves those of others as they are: a maker or sponsor signs later."""
    message, signatures = transaction.message, list(transaction.signatures)
    for signer in signers:
        place = message.account_keys.index(signer.pubkey())
        signatures[place] = signer.sign_message(to_bytes_versioned(message))
    return VersionedTransaction.populate(message, signatures)


def load(file):
    with open(file) as opened:
        return Keypair.from_bytes(bytes(json.load(opened)))


taker, payer = load(WALLET), load(PAYER) if PAYER else None
query = {
    "inputMint": "So11111111111111111111111111111111111111112",
    "outputMint": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    "amount": 100_000_000,
    "taker": str(taker.pubkey()),
    **({"payer": str(payer.pubkey())} if payer else {}),
}
order = call(f"/order?{urllib.parse.urlencode(query)}")
if not order["transaction"]:
    raise SystemExit(order["error"])
unsigned = VersionedTransaction.from_bytes(base64.b64decode(order["transaction"]))
signed = sign(unsigned, taker, *([payer] if payer else []))  # The taker first, the payer after it.
body = {"requestId": order["requestId"], "signedTransaction": base64.b64encode(bytes(signed)).decode()}
result = call("/execute", body)
if result["status"] != "Success":
    raise SystemExit(f"{result['code']}: {result['error']}")
print(f"0.1 SOL became {int(result['totalOutputAmount']) / 1e6} USDC in {result['signature']}")
