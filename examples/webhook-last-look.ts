// What a maker that is asked by webhook looks at before it signs: that the swap is one of its own quotes, and nothing else.
import * as kit from '@solana/kit';

const ORDER_ENGINE = '61DFfeTKM7trxYcPQCM78bJ794ddZprZpAwAnLiwTpYH';
const BUDGET = 'ComputeBudget111111111111111111111111111111';
const ASSOCIATED = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const TRANSFERS = new Map([
  // The System program's transfer, and that of tokens with their decimals: the data, and which account signs.
  ['11111111111111111111111111111111', { tag: [2, 0, 0, 0], length: 12, from: 0 }],
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', { tag: [12], length: 10, from: 3 }],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', { tag: [12], length: 10, from: 3 }],
]);
const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95';
/** What we pay at most to land a swap, in lamports. */
const MAX_FEE = 1_000_000n;
/** Compute units that a transaction may use that sets no limit; we pay for their price. */
const MAX_UNITS = 1_400_000n;

/** What was quoted, in atoms, and until when it binds us, in Unix milliseconds. */
export interface Quote {
  readonly tokenIn: string;
  readonly tokenOut: string;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** The wallet to which the taker hands on what we pay, if the question named one. Our quote repeated it. */
  readonly receiver?: string | undefined;
  readonly until: number;
}

/**
 * The rejection that the public acceptance suite, and `sluice maker check`, ask for by a request id. No random UUID is like
 * these, so that no real swap is rejected.
 */
export function rejectionAskedFor(requestId: string): object | null {
  const reasons = { '3': 'insufficientBalance', '4': 'signatureVerificationFailed' } as const;
  const digit = /^00000000-0000-0000-0000-00000000000([134])$/.exec(requestId)?.[1];
  if (digit === '1') return { state: 'rejected', rejectionReason: 'asked for by the request id' };
  return digit === '3' || digit === '4' ? { state: { rejectedWithReason: reasons[digit] } } : null;
}

/** The transaction of a swap; null if the text is not one. */
export function decodeSwap(base64: string): kit.Transaction | null {
  try {
    const decoded = kit.getTransactionDecoder().decode(Buffer.from(base64, 'base64'));
    kit.getCompiledTransactionMessageDecoder().decode(decoded.messageBytes);
    return decoded;
  } catch {
    return null;
  }
}

/** Why we do not sign the swap; null if it is one of our quotes, pays us what we asked for, and does nothing else. */
export function problemOf(
  maker: string,
  messageBytes: kit.ReadonlyUint8Array,
  quoted: Quote | undefined,
): string | null {
  if (quoted === undefined || quoted.until < Date.now()) return 'there is no such quote';
  const message = kit.getCompiledTransactionMessageDecoder().decode(messageBytes);
  // The decoder does not mind bytes that are missing at the end, or left over there.
  const again = kit.getCompiledTransactionMessageEncoder().encode(message);
  if (Buffer.compare(Uint8Array.from(again), Uint8Array.from(messageBytes)) !== 0)
    return 'the message is cut short, or longer than it says';
  if (!('instructions' in message) || !('staticAccounts' in message)) return 'the version is not supported';
  if ('addressTableLookups' in message && message.addressTableLookups?.length)
    return 'there are lookup tables';
  if (message.staticAccounts[0] !== maker || message.header.numSignerAccounts !== 2)
    return 'the signers are others';
  let [limit, price, fills, handsOn] = [MAX_UNITS, 0n, 0, 0];
  let taker: string | undefined;
  const ours = new Set<string | undefined>([maker]);
  for (const { programAddressIndex, accountIndices = [], data = new Uint8Array() } of message.instructions) {
    const accounts = accountIndices.map((index) => message.staticAccounts[index]);
    if (accounts.includes(undefined)) return 'an instruction names an account that is not in the message';
    const view = new DataView(Uint8Array.from(data).buffer);
    switch (message.staticAccounts[programAddressIndex]) {
      case BUDGET:
        if (data[0] === 2 && data.length === 5) limit = BigInt(view.getUint32(1, true));
        else if (data[0] === 3 && data.length === 9) price = view.getBigUint64(1, true);
        else return 'the compute budget is unusual';
        break;
      case ASSOCIATED:
        if (data.length !== 1 || data[0] !== 1 || accounts[0] === maker) return 'we would pay for an account';
        break;
      case LIGHTHOUSE:
        if (![5, 6, 9, 10].includes(data[0] ?? 0)) return 'an assertion is none';
        break;
      case ORDER_ENGINE:
        fills++;
        taker = accounts[0];
        ours.add(accounts[3]).add(accounts[5]);
        if (data.length < 32 || accounts[1] !== maker) return 'the fill is not ours';
        if (accounts[6] !== quoted.tokenIn || accounts[8] !== quoted.tokenOut)
          return 'the fill is of other tokens';
        // The service cuts its fee, which we owe it: we get no less than we quoted and pay no more.
        if (view.getBigUint64(8, true) < quoted.amountIn || view.getBigUint64(16, true) > quoted.amountOut)
          return 'the fill is not what we quoted';
        break;
      default: {
        const transfer = TRANSFERS.get(message.staticAccounts[programAddressIndex] ?? '');
        // After the fill, the taker hands on what it got. Where to is its business, as long as nothing of ours is named.
        if (transfer === undefined || quoted.receiver === undefined || fills !== 1)
          return 'there are other instructions';
        const isTransfer =
          data.length === transfer.length && transfer.tag.every((byte, index) => data[index] === byte);
        if (!isTransfer || accounts[transfer.from] !== taker) return 'there are other instructions';
        if (accounts.some((account) => ours.has(account))) return 'a transfer names what is ours';
        handsOn++;
      }
    }
  }
  if ((limit * price) / 1_000_000n > MAX_FEE) return 'the priority fee is too high';
  if (handsOn > 1) return 'it hands on more than once';
  return fills === 1 ? null : 'there is not one fill';
}
