import { visitInTurns, createUnaccountedWork } from '../../../common/work/work.ts';
import { type Address, toAddressBytes } from '../../../solana/address.ts';
import { readTokenAccountAmount } from '../../../solana/programs/token/account.ts';
import type { Bank } from '../ledger/bank.ts';

/** The number of largest owners that are listed. */
const MAX_TOP_HOLDERS = 10;

/** The holders of a mint. An owner counts once, with the sum of its token accounts. */
export interface TokenHolders {
  /** The number of owners with a balance. */
  readonly owners: number;
  /** The balances of the ten largest owners in atoms, the largest first. */
  readonly largest: readonly bigint[];
  /** What the owner that was asked for has, in atoms; null if none was. */
  readonly ofOwner: bigint | null;
}

const OWNER_AT = 32;

/**
 * Counts the owners of a mint as of the newest state, in turns. The time grows with the number of its token accounts.
 *
 * @param owner - A wallet whose balance is returned as well; null for none.
 */
export async function countTokenHolders(
  bank: Pick<Bank, 'eachTokenAccount'>,
  mint: Address,
  owner: Address | null,
): Promise<TokenHolders> {
  const balances = new Map<string, bigint>();
  const accounts = bank.eachTokenAccount({ by: 'mint', mint }, 'processed').value;
  await visitInTurns(createUnaccountedWork(), accounts, ({ account }) => {
    const amount = readTokenAccountAmount(account.data);
    if (amount === 0n) return;
    const key = toOwnerKey(account.data.subarray(OWNER_AT, OWNER_AT + 32));
    balances.set(key, (balances.get(key) ?? 0n) + amount);
  });
  const largest = [...balances.values()]
    .sort((one, other) => (one < other ? 1 : one > other ? -1 : 0))
    .slice(0, MAX_TOP_HOLDERS);
  const ofOwner = owner === null ? null : (balances.get(toOwnerKey(toAddressBytes(owner))) ?? 0n);
  return { owners: balances.size, largest, ofOwner };
}

/** Shorter to make than an address. */
function toOwnerKey(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
