"""What a maker that is asked by webhook checks before it signs a swap: that it is one of its own quotes, and nothing else.
It needs Python 3.8 and nothing else."""

import base64
import json
import struct
import sys

from last_look import Reader, Refused, base58

ORDER_ENGINE = "61DFfeTKM7trxYcPQCM78bJ794ddZprZpAwAnLiwTpYH"
BUDGET = "ComputeBudget111111111111111111111111111111"
ASSOCIATED = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"
LIGHTHOUSE = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95"
# The System program's transfer, and that of tokens with their decimals: the data's start and length, and who signs.
TRANSFERS = {
    "11111111111111111111111111111111": (b"\x02\0\0\0", 12, 0),
    "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA": (b"\x0c", 10, 3),
    "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb": (b"\x0c", 10, 3),
}
ASSERTIONS = (5, 6, 9, 10)
MAX_FEE = 10**6  # lamports that landing a swap may cost the maker
MAX_UNITS = 1_400_000  # which a transaction may use that sets no limit, and whose price the maker pays


def read_instructions(message, maker):
    """Returns the program, the accounts and the data of each instruction of a swap that the maker pays for.

    Raises `Refused` if the message has lookup tables, or other signers than the maker and the taker.
    """
    reader = Reader(message)
    version, signers = reader.take(2)
    reader.take(2)
    accounts = [base58(reader.take(32)) for _ in range(reader.length())]
    if version != 128 or signers != 2 or accounts[:1] != [maker]:
        raise Refused("the version or the signers are not those of a swap")
    reader.take(32)
    instructions = []
    for _ in range(reader.length()):
        program = reader.take(1)[0]
        indices = reader.take(reader.length())
        data = reader.take(reader.length())
        if max([program, *indices]) >= len(accounts):
            raise Refused("an instruction names an account that is not in the message")
        instructions.append((accounts[program], [accounts[index] for index in indices], data))
    if reader.length() != 0:
        raise Refused("the message has lookup tables")
    return instructions


def is_transfer_of(taker, program, accounts, data):
    start, length, signer = TRANSFERS.get(program, (b"", -1, 0))
    return len(data) == length and data.startswith(start) and accounts[signer : signer + 1] == [taker]


def check_swap(message, maker, pair, amount_in, amount_out, hands_on=False):
    """Checks a swap against the maker's quote.

    message: the bytes of the transaction from offset 129 on, which is what the maker signs.
    pair: the mint that the taker pays, and the one that it gets; the amounts are in atoms of them.
    hands_on: whether the question named a receiver, to whom the taker transfers what it gets.
    Raises `Refused` unless the swap pays the maker what it asked for, costs it no more, and does nothing else.
    """
    unit_limit, unit_price, fills, handed = MAX_UNITS, 0, 0, 0
    taker, ours = None, [maker]
    for program, accounts, data in read_instructions(message, maker):
        if program == BUDGET and len(data) == 5 and data[0] == 2:
            (unit_limit,) = struct.unpack_from("<I", data, 1)
        elif program == BUDGET and len(data) == 9 and data[0] == 3:
            (unit_price,) = struct.unpack_from("<Q", data, 1)
        elif program == ASSOCIATED and data == b"\x01" and accounts[:1] != [maker]:
            pass  # The taker pays for its own account.
        elif program == LIGHTHOUSE and data[:1] and data[0] in ASSERTIONS:
            pass  # Wallets append these assertions. They change nothing.
        elif program == ORDER_ENGINE and len(data) >= 32 and len(accounts) > 8 and accounts[1] == maker:
            fills += 1
            taker, ours = accounts[0], [maker, accounts[3], accounts[5]]
            taken, paid = struct.unpack_from("<QQ", data, 8)
            # The service subtracts its fee, which the maker owes it: the fill may be better than the quote.
            if (accounts[6], accounts[8]) != pair or taken < amount_in or paid > amount_out:
                raise Refused("the fill is not what was quoted")
        elif hands_on and fills == 1 and handed == 0 and is_transfer_of(taker, program, accounts, data):
            handed += 1
            # Where it goes is the taker's business, as long as nothing of the maker's is named.
            if any(account in ours for account in accounts):
                raise Refused("a transfer names an account of the maker")
        else:
            raise Refused(f"an instruction of {program} does not belong to a swap")
    if unit_limit * unit_price > MAX_FEE * 10**6:
        raise Refused(f"the priority fee is above {MAX_FEE} lamports")
    if fills != 1:
        raise Refused(f"the swap has {fills} fills")


def main():
    """Reads one JSON object for each line: message (base64), maker, pair and the two amounts. Prints one result for each."""
    for line in sys.stdin:
        case = json.loads(line)
        message, pair = base64.b64decode(case["message"]), tuple(case["pair"])
        try:
            amounts = int(case["amountIn"]), int(case["amountOut"])
            check_swap(message, case["maker"], pair, *amounts, case.get("handsOn", False))
            print(json.dumps({"signs": True}))
        except Refused as reason:
            print(json.dumps({"refused": str(reason)}))


if __name__ == "__main__":
    main()
