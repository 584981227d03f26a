"""Addresses of associated token accounts. It needs Python 3.8 and nothing else."""

import hashlib

from ed25519 import D, P
from last_look import ALPHABET, base58

TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
ASSOCIATED_TOKEN_PROGRAM = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"


def address_bytes(address):
    number = 0
    for character in address:
        number = number * 58 + ALPHABET.index(character)
    return number.to_bytes(32, "big")


def is_on_curve(address):
    """Whether the 32 bytes are a point of the curve, which is to say that they can have a secret key."""
    y = (int.from_bytes(address, "little") & ((1 << 255) - 1)) % P
    x_squared = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    return pow(x_squared, (P - 1) // 2, P) in (0, 1)


def associated_token_account(wallet, mint, token_program=TOKEN_PROGRAM):
    """A program's address has no secret key: the first bump from 255 downward that gives such an address is used."""
    seeds = b"".join(map(address_bytes, (wallet, token_program, mint)))
    end = address_bytes(ASSOCIATED_TOKEN_PROGRAM) + b"ProgramDerivedAddress"
    for bump in range(255, -1, -1):
        address = hashlib.sha256(seeds + bytes([bump]) + end).digest()
        if not is_on_curve(address):
            return base58(address)
    raise ValueError(f"{wallet} and {mint} have no associated token account")
