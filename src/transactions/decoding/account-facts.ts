import type { Account } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import type { LandedTokenBalance } from '../../chain/landed-transactions.ts';
import type { PoolState, Venue } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { isTokenProgram } from '../../solana/program-addresses.ts';
import { decodeTokenAccount, isTokenAccount } from '../../solana/programs/token/account.ts';
import { decodeMint, isMint } from '../../solana/programs/token/mint.ts';
import type { DecodedUnit } from './form/decoded-transaction.ts';

/** The mint and the owner of a token account. */
export interface KnownHolding {
  readonly mint: Address;
  readonly owner: Address;
}

/** A pool among the accounts of a transaction. */
export interface FoundPool {
  readonly venue: Pick<Venue, 'label' | 'vaults'>;
  readonly pool: PoolState;
}

/** What is known of the accounts of a transaction. */
export interface AccountFacts {
  /** The token accounts, with those that the transaction creates or has closed. */
  readonly holdings: ReadonlyMap<Address, KnownHolding>;
  /** The mints, with those of the holdings. */
  readonly mints: ReadonlyMap<Address, DecodedUnit & { readonly program: Address | null }>;
  readonly pools: ReadonlyMap<Address, FoundPool>;
}

/** A token that lists name. */
export interface TokenUnit {
  readonly symbol: string;
  readonly decimals: number;
}

/** What account facts are found with. */
export interface FactSources {
  readonly chain: Pick<Chain, 'getAccounts'>;
  /** Returns a token that is listed, or null. */
  readonly findToken: (mint: Address) => TokenUnit | null;
  /** Returns a pool that routes may use, or null. */
  readonly findPool: (address: Address) => FoundPool | null;
}

/**
 * Finds what is known of accounts: by their state now, by what a landed transaction recorded, and by what the instructions
 * create.
 *
 * @param created - The token accounts that the transaction creates, and those that it had before or after.
 * @throws ChainUnavailable when the network does not answer.
 */
export async function findAccountFacts(
  { chain, findToken, findPool }: FactSources,
  addresses: readonly Address[],
  created: ReadonlyMap<Address, KnownHolding>,
): Promise<AccountFacts> {
  const wanted = [...new Set([...addresses, ...[...created.values()].map(({ mint }) => mint)])];
  const accounts = await readAccounts(chain, wanted);
  const holdings = new Map(created);
  for (const [address, account] of accounts) {
    const holding = readHolding(account);
    if (holding !== null) holdings.set(address, holding);
  }
  const named = [...new Set([...holdings.values()].map(({ mint }) => mint))];
  const unread = named.filter((mint) => !accounts.has(mint));
  for (const [address, account] of await readAccounts(chain, unread)) accounts.set(address, account);
  const mints = new Map<Address, DecodedUnit & { readonly program: Address | null }>();
  for (const address of new Set([...wanted, ...named])) {
    const unit = findUnit(address, accounts.get(address), findToken);
    if (unit !== null) mints.set(address, unit);
  }
  const pools = new Map<Address, FoundPool>();
  for (const address of addresses) {
    const pool = findPool(address);
    if (pool !== null) pools.set(address, pool);
  }
  return { holdings, mints, pools };
}

async function readAccounts(
  chain: Pick<Chain, 'getAccounts'>,
  addresses: readonly Address[],
): Promise<Map<Address, Account>> {
  if (addresses.length === 0) return new Map();
  const updates = await chain.getAccounts(addresses);
  return new Map(
    updates.flatMap(({ address, account }) => (account === null ? [] : [[address, account] as const])),
  );
}

function readHolding({ owner: program, data }: Account): KnownHolding | null {
  if (!isTokenProgram(program) || !isTokenAccount(data)) return null;
  const decoded = decodeOrNull(() => decodeTokenAccount(data));
  return decoded === null ? null : { mint: decoded.mint, owner: decoded.owner };
}

/** A listed token is known without its account. */
function findUnit(
  address: Address,
  account: Account | undefined,
  findToken: FactSources['findToken'],
): (DecodedUnit & { readonly program: Address | null }) | null {
  const program = account !== undefined && isTokenProgram(account.owner) ? account.owner : null;
  const listed = findToken(address);
  if (listed !== null) return { mint: address, symbol: listed.symbol, decimals: listed.decimals, program };
  if (account === undefined || program === null || !isMint(account.data)) return null;
  const mint = decodeOrNull(() => decodeMint(account.data));
  return mint === null ? null : { mint: address, symbol: null, decimals: mint.decimals, program };
}

function decodeOrNull<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}

/** Returns the token accounts that a landed transaction had before and after. */
export function collectHoldings(balances: readonly LandedTokenBalance[]): ReadonlyMap<Address, KnownHolding> {
  return new Map(balances.map(({ account, mint, owner }) => [account, { mint, owner }]));
}
