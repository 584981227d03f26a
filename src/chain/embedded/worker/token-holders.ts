import type { Address } from '../../../solana/address.ts';
import { tokenAccountAmount } from '../../../solana/programs/token/account.ts';
import type { Bank } from '../ledger/bank.ts';

/** The number of largest owners that are listed. */
const MAX_TOP_HOLDERS = 10;

/** The holders of a mint. An owner counts once, with the sum of its token accounts. */
export interface TokenHolders {
  /** The number of owners with a balance. */
  readonly owners: number;
  /** The balances of the ten largest owners in atoms, the largest first. */
  readonly largest: readonly bigint[];
}

const OWNER_AT = 32;

/** Counts the owners of a mint as of the newest state. The time grows with the number of its token accounts. */
export function tokenHolders(bank: Pick<Bank, 'tokenAccounts'>, mint: Address): TokenHolders {
  const balances = new Map<string, bigint>();
  for (const { account } of bank.tokenAccounts({ by: 'mint', mint }, 'processed').value) {
    const amount = tokenAccountAmount(account.data);
    if (amount === 0n) continue;
    const owner = Buffer.from(account.data.buffer, account.data.byteOffset + OWNER_AT, 32).toString('latin1');
    balances.set(owner, (balances.get(owner) ?? 0n) + amount);
  }
  const largest = [...balances.values()]
    .sort((one, other) => (one < other ? 1 : one > other ? -1 : 0))
    .slice(0, MAX_TOP_HOLDERS);
  return { owners: balances.size, largest };
}
