"""Ed25519 signatures (RFC 8032), so that the examples need Python alone. Its time depends on the key: sign with a
library such as `cryptography` or `solders` wherever the key is worth something."""

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
BASE_Y = 4 * pow(5, -1, P) % P
BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)
NEUTRAL = (0, 1, 1, 0)


def add(one, other):
    """Adds two points in extended coordinates (x, y, z, t), with x = X/Z, y = Y/Z and xy = T/Z."""
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a, b = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2)
    c, d = 2 * D * t1 * t2, 2 * z1 * z2
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar):
    """The multiple of the base point, as it is encoded: y, with the lowest bit of x in the highest bit."""
    total, point = NEUTRAL, BASE
    while scalar > 0:
        if scalar & 1:
            total = add(total, point)
        point = add(point, point)
        scalar >>= 1
    inverse = pow(total[2], -1, P)
    x, y = total[0] * inverse % P, total[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def scalar_of(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def expand(secret):
    """Returns the scalar of a secret, and the bytes from which its nonces are made."""
    hashed = hashlib.sha512(secret).digest()
    return int.from_bytes(hashed[:32], "little") & ((1 << 254) - 8) | 1 << 254, hashed[32:]


def public_key(secret):
    return multiply(expand(secret)[0])


def sign(secret, message):
    """Signs with the 32 secret bytes, with which a Solana keypair file begins. Returns the 64 bytes of the signature."""
    key, prefix = expand(secret)
    nonce = scalar_of(prefix, message) % ORDER
    point = multiply(nonce)
    challenge = scalar_of(point, multiply(key), message)
    return point + ((nonce + challenge * key) % ORDER).to_bytes(32, "little")
