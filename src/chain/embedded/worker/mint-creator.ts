import type { Address } from '../../../solana/address.ts';
import { parseTransaction } from '../../../solana/messages/transaction.ts';
import { isTokenProgram } from '../../../solana/program-addresses.ts';
import { toExecutedTransaction, deferBalances } from '../../records/executed-transaction.ts';
import type { Bank } from '../ledger/bank.ts';

/** How many transactions of a mint are listed to find its oldest ones. Of a mint with more, the creator is not known. */
const PAGE = 1_000;
const MAX_PAGES = 5;
/** How many of the oldest are looked at: anybody can name an address before a mint is created there. */
const MAX_OLDEST = 20;
/** The first byte of `InitializeMint` and `InitializeMint2` of both token programs. */
const INITIALIZE_MINT: ReadonlySet<number | undefined> = new Set([0, 20]);

/**
 * Finds the wallet that created a mint: the fee payer of the transaction in which it was initialised.
 *
 * Returns null if the network does not keep that transaction, such as for a mint of the genesis, or it is not confirmed.
 */
export function findMintCreator(
  bank: Pick<Bank, 'signaturesForAddress' | 'transaction'>,
  mint: Address,
): Address | null {
  for (const signature of oldestSignatures(bank, mint)) {
    const record = bank.transaction(signature, 'confirmed');
    if (record === null || record.error !== null) continue;
    const { calls, signers } = toExecutedTransaction(
      deferBalances(record),
      parseTransaction(record.wire).message,
    );
    const initialises = calls.some(
      ({ program, accounts, data }) =>
        isTokenProgram(program) && accounts[0] === mint && INITIALIZE_MINT.has(data[0]),
    );
    if (initialises) return signers[0] ?? null;
  }
  return null;
}

/** The oldest first. None if the address has too many transactions. */
function oldestSignatures(bank: Pick<Bank, 'signaturesForAddress'>, mint: Address): readonly string[] {
  let before: string | undefined;
  let oldest: readonly string[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const options = { commitment: 'confirmed', limit: PAGE } as const;
    const found = bank.signaturesForAddress(mint, before === undefined ? options : { ...options, before });
    const signatures = found.map(({ signature }) => signature);
    oldest = [...oldest, ...signatures].slice(-MAX_OLDEST);
    if (signatures.length < PAGE) return [...oldest].reverse();
    before = signatures.at(-1);
  }
  return [];
}
