"""A market maker for SOL against USDC that streams order books around a price and signs the swaps that match them.
SLUICE_MAKER_ID and SLUICE_MAKER_KEY are what `sluice maker add` was told and printed. It needs Python 3.8, and
`pip install grpcio grpcio-tools`. Run `python3 examples/python/streaming_maker.py`."""

import base64
import os
import queue
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import grpc

import ed25519
import wallet
from last_look import MESSAGE_OFFSET, Refused, last_look
from token_accounts import TOKEN_PROGRAM, associated_token_account

sys.path.append(str(Path(__file__).resolve().parents[2] / "proto"))
messages, services = grpc.protos_and_services("market_maker.proto")

SOL = "So11111111111111111111111111111111111111112"
USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
ONE = 10**9  # lamports of a SOL
VOLUME = 50 * ONE
PRICE = round(float(os.environ.get("SLUICE_MAKER_PRICE", "200")) * 10**6)  # USDC atoms for a SOL
SPREAD = int(os.environ.get("SLUICE_MAKER_SPREAD_BPS", "1"))  # basis points to each side of the price
QUOTE_SECONDS = 30  # A book expires after them unless the next one replaces it.
QUOTE_EVERY = 5
KEPT_SECONDS = 60  # Longer than a taker may take to sign.
MAX_BACKOFF = 30

MAKER_ID = os.environ.get("SLUICE_MAKER_ID", "demo-maker")
KEY = os.environ.get("SLUICE_MAKER_KEY", "")
SECRET, MAKER = wallet.load(os.environ.get("SLUICE_MAKER_WALLET", "maker-wallet.json"))
OWN = {
    "maker": MAKER,
    "base": associated_token_account(MAKER, SOL),
    "quote": associated_token_account(MAKER, USDC),
    "one": ONE,
}
METADATA = (("x-api-key", KEY),)
streamed = []  # What may still be taken: pairs of the time until which it may, and what `last_look` wants.


def prices():
    """Put your own pricing here. The bid is rounded down and the ask up, in our favour."""
    return {
        "bid": PRICE * (10_000 - SPREAD) // 10_000,
        "ask": -(-PRICE * (10_000 + SPREAD) // 10_000),
        "volume": VOLUME,
    }


def snapshot(sequence_number):
    """The next book. It may be taken from the moment at which it is sent, so it is remembered before."""
    book, now = prices(), time.time()
    streamed[:] = [each for each in streamed if each[0] > now] + [(now + KEPT_SECONDS, book)]

    def token(address, decimals, symbol):
        return messages.Token(address=address, decimals=decimals, symbol=symbol, owner=TOKEN_PROGRAM)

    return messages.MarketMakerQuote(
        timestamp=int(now * 10**6),
        sequence_number=sequence_number,
        quote_expiry_time=QUOTE_SECONDS,
        maker_id=MAKER_ID,
        maker_address=MAKER,
        lot_size_base=1_000,
        cluster=messages.CLUSTER_MAINNET,
        token_pair=messages.TokenPair(base_token=token(SOL, 9, "SOL"), quote_token=token(USDC, 6, "USDC")),
        bid_levels=[messages.PriceLevel(volume=VOLUME, price=book["bid"])],
        ask_levels=[messages.PriceLevel(volume=VOLUME, price=book["ask"])],
    )


def cosign(unsigned):
    """Returns the transaction with our signature, in base64. Raises `Refused` if it is not what was streamed."""
    transaction = base64.b64decode(unsigned)
    message, now = transaction[MESSAGE_OFFSET:], time.time()
    last_look(message, OWN, [book for until, book in list(streamed) if until > now], int(now))
    return base64.b64encode(transaction[:65] + ed25519.sign(SECRET, message) + message).decode()


def stream_quotes(stub, end):
    """Streams a book every few seconds until `end` is set, and prints why one was refused."""
    request = messages.SequenceNumberRequest(maker_id=MAKER_ID, auth_token=KEY)
    sequence_number = stub.GetLastSequenceNumber(request, metadata=METADATA, timeout=10).last_sequence_number

    def books():
        nonlocal sequence_number
        while not end.is_set():
            sequence_number += 1
            yield snapshot(sequence_number)
            end.wait(QUOTE_EVERY)

    for ack in stub.StreamQuotes(books(), metadata=METADATA):
        if ack.update_type == messages.UPDATE_TYPE_REJECTED:
            print(f"quote refused: {ack.status_message}", flush=True)


def session(stub):
    """Streams until the connection is gone. Raises grpc.RpcError with the reason."""
    outgoing, end = queue.Queue(), threading.Event()
    swaps = stub.StreamSwap(iter(outgoing.get, None), metadata=METADATA)

    def quote():
        try:
            stream_quotes(stub, end)
        except grpc.RpcError as problem:
            print(f"quotes ended: {problem.code().name} {problem.details()}", flush=True)
        swaps.cancel()

    try:
        for update in swaps:
            handle(update, outgoing, lambda: threading.Thread(target=quote, daemon=True).start())
    finally:
        end.set()
        outgoing.put(None)


def handle(update, outgoing, start_quotes):
    kind = messages.SwapMessageType.Name(update.message_type).replace("SWAP_MESSAGE_TYPE_", "")
    if kind != "PONG":
        print(kind, update.swap_uuid, update.transaction_signature, update.status_message, flush=True)
    if kind == "CONNECTION_READY":
        start_quotes()  # Books without a live swap stream are refused.
    elif kind == "SWAP_AVAILABLE":
        try:
            signed = cosign(update.unsigned_transaction)
        except (Refused, ValueError) as reason:
            print(f"not signed {update.swap_uuid}: {reason}", flush=True)
            return
        submit = messages.SWAP_MESSAGE_TYPE_SWAP_SUBMIT
        outgoing.put(
            messages.MarketMakerSwap(message_type=submit, swap_uuid=update.swap_uuid, signed_transaction=signed)
        )


def open_channel():
    address = urlsplit(os.environ.get("SLUICE_GRPC", "http://127.0.0.1:50051"))
    options = [("grpc.keepalive_time_ms", 10_000)]
    if address.scheme == "https":
        return grpc.secure_channel(address.netloc, grpc.ssl_channel_credentials(), options)
    return grpc.insecure_channel(address.netloc, options)


backoff = 0.5
while True:
    with open_channel() as channel:
        started = time.monotonic()
        try:
            session(services.MarketMakerIngestionServiceStub(channel))
            reason = "the stream has ended"
        except grpc.RpcError as problem:
            reason = f"{problem.code().name} {problem.details()}"
    if time.monotonic() - started > MAX_BACKOFF:
        backoff = 0.5
    print(f"disconnected: {reason}; again in {backoff} s", flush=True)
    time.sleep(backoff)
    backoff = min(2 * backoff, MAX_BACKOFF)
