"""What a maker checks before it signs a swap, as docs/last-look.md describes it. It needs Python 3.8 and nothing else."""

import base64
import json
import struct
import sys

AGGREGATOR = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"
FILL_PROGRAM = "fd3nMFYTQjX1yr5ER8u7tPdHJB7qt8RpDpNtLQX2Br5"
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
MESSAGE_OFFSET = 129
LONGEST_SECONDS = 120
FILL_TAG = 120


class Refused(Exception):
    """The swap must not be signed; the text says why."""


class Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, count):
        end = self.at + count
        if end > len(self.data):
            raise Refused("the message is cut short")
        taken = self.data[self.at : end]
        self.at = end
        return taken

    def length(self):
        low = self.take(1)[0]
        return low if low < 128 else (low & 127) | (self.take(1)[0] << 7)


def base58(data):
    number = int.from_bytes(data, "big")
    text = ""
    while number > 0:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def read_message(message):
    """Returns the static accounts, and of each instruction its program's index, its accounts' indices and its data."""
    reader = Reader(message)
    if reader.take(1)[0] != 128:
        raise Refused("it is no version 0 transaction")
    reader.take(3)
    accounts = [base58(reader.take(32)) for _ in range(reader.length())]
    reader.take(32)
    instructions = []
    for _ in range(reader.length()):
        program = reader.take(1)[0]
        indices = list(reader.take(reader.length()))
        instructions.append((program, indices, reader.take(reader.length())))
    return accounts, instructions


def last_look(message, own, streamed, now):
    """Checks a swap.

    own: the maker's address, its accounts of base and quote, and the atoms of one whole base token ("one").
    streamed: dictionaries of bid and ask (quote atoms per whole base token) and volume (base atoms).
    now: Unix seconds.
    Returns the base atoms that the maker sells at most; negative if it buys. Raises Refused otherwise.
    """
    accounts, instructions = read_message(message)
    mine = [own["maker"], own["base"], own["quote"]]
    if accounts[1:2] != [own["maker"]]:
        raise Refused("we are not its second signer")
    if any(account not in accounts for account in mine):
        raise Refused("our accounts are not among its own")
    ours = [accounts.index(account) for account in mine]
    naming = [one for one in instructions if any(index in ours for index in one[1])]
    if len(naming) != 1 or accounts[naming[0][0] : naming[0][0] + 1] != [AGGREGATOR]:
        raise Refused("our accounts are named outside the route")
    _, indices, data = naming[0]
    if any(indices.count(index) != 1 for index in ours):
        raise Refused("the route names us twice")
    at = indices.index(ours[0])

    def place(offset):
        index = indices[at + offset] if 0 <= at + offset < len(indices) else len(accounts)
        return accounts[index] if index < len(accounts) else None

    if [place(-2), place(3), place(4)] != [FILL_PROGRAM, own["base"], own["quote"]]:
        raise Refused("our accounts are not where a fill has them")
    return check_fill(data, own["one"], streamed, now)


def find_fill(data):
    """Returns the offset of the only fill in the data of the route, and where it ends."""
    found = []
    for at in range(len(data) - 33):
        (length,) = struct.unpack_from("<I", data, at + 2)
        (levels,) = struct.unpack_from("<I", data, at + 30)
        is_tagged = data[at] == FILL_TAG and data[at + 1] < 2
        if is_tagged and levels > 0 and length == 28 + 16 * levels and at + 6 + length <= len(data):
            found.append((at, at + 6 + length))
    if len(found) != 1:
        raise Refused(f"it has {len(found)} fills")
    return found[0]


def check_fill(data, one, streamed, now):
    at, end = find_fill(data)
    taker_buys = data[at + 1] == 0
    expire_at, tick, lot = struct.unpack_from("<QQQ", data, at + 6)
    if not now <= expire_at <= now + LONGEST_SECONDS:
        raise Refused(f"it may land until {expire_at}, and it is {now}")
    total = 0
    for level in range(at + 34, end, 16):
        price, lots = struct.unpack_from("<QQ", data, level)
        paid = price * tick * one
        total += lots * lot
        if not any(
            total <= each["volume"] and (paid >= each["ask"] * lot if taker_buys else paid <= each["bid"] * lot)
            for each in streamed
        ):
            raise Refused(f"{price * tick} for {lot} atoms, up to {total} of them, is not what was streamed")
    return total if taker_buys else -total


def main():
    """Reads one JSON object for each line: transaction (base64), own, streamed and now. Prints one result for each."""
    for line in sys.stdin:
        case = json.loads(line)
        message = base64.b64decode(case["transaction"])[MESSAGE_OFFSET:]
        try:
            print(json.dumps({"sells": last_look(message, case["own"], case["streamed"], case["now"])}))
        except Refused as reason:
            print(json.dumps({"refused": str(reason)}))


if __name__ == "__main__":
    main()
