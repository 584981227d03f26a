"""Solana keypair files: 32 secret bytes, then the 32 bytes of the address, as a JSON array. Run
`python3 examples/python/wallet.py maker-wallet.json` to make one; it prints the address, also of one that exists."""

import json
import os
import sys

import ed25519
from last_look import base58


def load(file):
    """Returns the 32 secret bytes and the address in base58."""
    with open(file) as opened:
        key = bytes(json.load(opened))
    if len(key) != 64 or ed25519.public_key(key[:32]) != key[32:]:
        raise SystemExit(f"{file} is not a Solana keypair file")
    return key[:32], base58(key[32:])


def create(file):
    """Writes a new keypair that only this user can read, and returns its address. An existing file is never replaced."""
    secret = os.urandom(32)
    public = ed25519.public_key(secret)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        json.dump(list(secret + public), opened)
    return base58(public)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python3 examples/python/wallet.py FILE")
    file = sys.argv[1]
    print(load(file)[1] if os.path.exists(file) else create(file))
