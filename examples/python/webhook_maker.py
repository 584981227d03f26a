"""A market maker for SOL against USDC that is asked by webhook: it quotes around a price, checks each swap against its
quotes, signs it and lands it. Run `python3 examples/python/webhook_maker.py`, then register its URL with
`sluice maker add`. It needs Python 3.8 and nothing else."""

import base64
import hmac
import json
import os
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import ed25519
import wallet
from last_look import MESSAGE_OFFSET, Refused
from webhook_last_look import check_swap

SOL = "So11111111111111111111111111111111111111112"
USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
RPC = os.environ.get("SOLANA_RPC_URL", "http://127.0.0.1:8899")
KEY = os.environ.get("SLUICE_WEBHOOK_KEY")
PRICE = round(float(os.environ.get("SLUICE_MAKER_PRICE", "200")) * 10**6)  # USDC atoms for a SOL
SPREAD = int(os.environ.get("SLUICE_MAKER_SPREAD_BPS", "25"))  # basis points to each side of the price
MAX_LAMPORTS = 10 * 10**9  # of the largest swap
MAX_BODY = 16_384
MAX_QUOTES = 10_000  # that bind us at the same time
QUOTE_SECONDS = 60
RESEND_SECONDS = 2  # A network drops transactions, so a swap is sent again for as long as it could be filled.
RESENDS = 20

SECRET, MAKER = wallet.load(os.environ.get("SLUICE_MAKER_WALLET", "maker-wallet.json"))
# The public acceptance suite and `sluice maker check` ask for these rejections by a request id, which no real swap has.
ASKED_FOR = {
    "00000000-0000-0000-0000-000000000003": "insufficientBalance",
    "00000000-0000-0000-0000-000000000004": "signatureVerificationFailed",
}
quotes = {}  # By quote id: the pair, both amounts in atoms, and the time until which they bind us.
lock = threading.Lock()


def quote(asked):
    amount, kind = str(asked["amount"]), asked["quoteType"].lower().replace("_", "")
    if not (amount.isascii() and amount.isdigit() and len(amount) <= 20) or kind not in ("exactin", "exactout"):
        return 400, {"message": "amount or quoteType is invalid"}
    pair = (asked["tokenIn"], asked["tokenOut"])
    if pair == (SOL, USDC):
        numerator, denominator = PRICE * (10_000 - SPREAD), 10**13
    elif pair == (USDC, SOL):
        numerator, denominator = 10**13, PRICE * (10_000 + SPREAD)
    else:
        return 404, {"message": "this pair is not quoted"}
    # The amount that we compute is rounded in our favour: what we get up, and what we pay down.
    given = int(amount)
    amount_in = given if kind == "exactin" else -(-given * denominator // numerator)
    amount_out = given * numerator // denominator if kind == "exactin" else given
    if (amount_in if pair[0] == SOL else amount_out) > MAX_LAMPORTS or amount_in == 0 or amount_out == 0:
        return 404, {"message": "this size is not quoted"}
    if not remember(str(asked["quoteId"]), (pair, amount_in, amount_out, "receiver" in asked, time.time() + QUOTE_SECONDS)):
        return 404, {"message": "too many quotes bind this maker"}
    echoed = ("requestId", "quoteId", "tokenIn", "tokenOut", "quoteType", "protocol", "taker", "receiver")
    answer = {name: asked[name] for name in echoed if name in asked}
    return 200, {**answer, "amountIn": str(amount_in), "amountOut": str(amount_out), "maker": MAKER}


def remember(quote_id, terms):
    now = time.time()
    with lock:
        for old in [each for each, (*_, until) in quotes.items() if until < now]:
            del quotes[old]
        if len(quotes) >= MAX_QUOTES:
            return False
        quotes[quote_id] = terms
        return True


def swap(asked):
    transaction, quote_id = base64.b64decode(asked["transaction"], validate=True), str(asked["quoteId"])
    rejection = {"quoteId": quote_id, "state": {"rejectedWithReason": ASKED_FOR.get(asked.get("requestId"))}}
    if rejection["state"]["rejectedWithReason"] is not None:
        return 200, rejection
    try:
        with lock:
            terms = quotes.get(quote_id)
        if terms is None or terms[-1] < time.time():
            raise Refused("there is no such quote")
        if transaction[:1] != b"\x02":
            raise Refused("the transaction does not have two signatures")
        message = transaction[MESSAGE_OFFSET:]
        check_swap(message, MAKER, *terms[:-1])
        with lock:  # Each quote is good for one swap.
            if quotes.pop(quote_id, None) is None:
                raise Refused("this quote was filled already")
    except Refused as reason:
        return 200, {"quoteId": quote_id, "state": "rejected", "rejectionReason": str(reason)}
    # The taker's signature, which begins at offset 65, is checked by the network before it takes the transaction.
    signed = b"\x02" + ed25519.sign(SECRET, message) + transaction[65:]
    return 200, land(base64.b64encode(signed).decode(), quote_id)


def land(transaction, quote_id):
    sent = send(transaction, skips_preflight=False)
    if "error" in sent:
        return {"quoteId": quote_id, "state": "rejected", "rejectionReason": str(sent["error"].get("message"))}
    threading.Thread(target=resend, args=(transaction,), daemon=True).start()
    print(f"filled {quote_id} in {sent['result']}", flush=True)
    return {"quoteId": quote_id, "state": "accepted", "txSignature": sent["result"]}


def send(transaction, skips_preflight):
    # The blockhash of a swap is confirmed, and often not yet finalized, which is the default.
    options = {"encoding": "base64", "skipPreflight": skips_preflight, "preflightCommitment": "confirmed"}
    call = {"jsonrpc": "2.0", "id": 1, "method": "sendTransaction", "params": [transaction, options]}
    request = urllib.request.Request(RPC, json.dumps(call).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


def resend(transaction):
    for _ in range(RESENDS):
        time.sleep(RESEND_SECONDS)
        try:
            send(transaction, skips_preflight=True)
        except (OSError, ValueError):
            pass  # The next one may arrive.


class Webhook(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self):
        if self.path == "/tokens":
            self.answer(200, [SOL, USDC])
        else:
            self.answer(404, {"message": "there is nothing here"})

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit() and len(length) <= 9 and int(length) <= MAX_BODY):
            self.close_connection = True
            return self.answer(400, {"message": f"the body has no length, or more than {MAX_BODY} bytes"})
        body = self.rfile.read(int(length))
        if KEY is not None and not hmac.compare_digest(self.headers.get("x-api-key", "").encode(), KEY.encode()):
            return self.answer(401, {"message": "the key is wrong"})
        handler = {"/quote": quote, "/swap": swap}.get(self.path)
        if handler is None:
            return self.answer(404, {"message": "there is nothing here"})
        try:
            self.answer(*handler(json.loads(body)))
        except OSError as problem:
            self.answer(500, {"message": f"the network does not answer: {problem}"})
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as problem:
            self.answer(400, {"message": f"the body is not understood: {problem!r}"})

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format, *args):
        """Swaps are logged, and not each request."""


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("SLUICE_WEBHOOK_PORT", "8080"))), Webhook)
print(f"{MAKER} answers at http://127.0.0.1:{server.server_address[1]}", flush=True)
server.serve_forever()
