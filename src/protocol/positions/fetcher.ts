import type { Account, AccountFilter, AddressField } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import type { Clock } from '../../solana/programs/clock.ts';
import type { Mint } from '../../solana/programs/token/mint.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import type { Element } from './element.ts';

/** A token account of the wallet. */
export interface WalletToken {
  readonly address: Address;
  readonly program: Address;
  readonly mint: Address;
  readonly amount: bigint;
  readonly frozen: boolean;
}

/** A mint with the token program that owns it. */
export interface WalletMint extends Mint {
  readonly address: Address;
  readonly program: Address;
}

export interface FoundAccount {
  readonly address: Address;
  readonly account: Account;
}

/** The Clock sysvar, read from the same state as all other accounts. */
export type WalletClock = Clock;

/**
 * Reads one wallet as of one state of the network. All fetchers of an answer share a reader: accounts that one has read
 * cost the others nothing, and reads that are requested at the same time become one call. Methods reject with
 * `ChainUnavailable`.
 */
export interface WalletReader {
  readonly owner: Address;
  clock(): Promise<WalletClock>;
  /** The wallet's token accounts of both token programs, empty ones included. Unreadable ones are left out. */
  tokens(): Promise<readonly WalletToken[]>;
  /** Those of `tokens` with a balance. They are selected once, in turns. */
  heldTokens(): Promise<readonly WalletToken[]>;
  /** Those of `tokens` with a balance of one atom, which may be NFTs. They are selected once, in turns. */
  singleTokens(): Promise<readonly WalletToken[]>;
  /** The number of token accounts that `tokens` leaves out, because others can create any number of them for a wallet. */
  omittedTokens(): Promise<number>;
  /** Reads accounts, in the order of `addresses`. */
  accounts(addresses: readonly Address[]): Promise<readonly (Account | null)[]>;
  /** Reads mints. Addresses that are not a mint are missing from the map. */
  mints(addresses: readonly Address[]): Promise<ReadonlyMap<Address, WalletMint>>;
  /** Finds accounts of a program. The filter has to select those of the wallet. */
  programAccounts(program: Address, filter: AccountFilter): Promise<readonly FoundAccount[]>;
  /** Whether `findAccounts` by this field works without a search of the program's accounts. */
  indexes(program: Address, field: AddressField): boolean;
  /** Finds the accounts of a program whose field contains one of the addresses. Without addresses, it makes no call. */
  findAccounts(
    program: Address,
    field: AddressField,
    addresses: readonly Address[],
  ): Promise<readonly FoundAccount[]>;
  /**
   * Returns the accounts that were read so far, on which the answer depends. Those that were found by a search come
   * first, and those that do not exist last.
   */
  touched(): readonly Address[];
  /** The mints that represent positions, by `PositionFetcher.claims`. They are neither tokens nor collectibles. */
  claimedMints(): Promise<ReadonlySet<Address>>;
}

/** An account of the wallet that could not be read, and why. */
export interface Unreadable {
  readonly address: Address;
  readonly reason: string;
}

export interface Fetched {
  readonly elements: readonly Element[];
  /** The positions that are missing from `elements`. The report of the fetcher names them. Default: none. */
  readonly unreadable?: readonly Unreadable[];
}

/**
 * Reads one kind of position of a wallet. Protocols contribute fetchers, in `fetchers` of their value. They have no state
 * and run concurrently. Each has its own deadline and its own report.
 *
 * @example
 * ```ts
 * import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
 * import type { PositionFetcher } from './fetcher.ts';
 *
 * // The lamports of the wallet.
 * export const lamports: PositionFetcher = {
 *   id: 'wallet-tokens-solana-native',
 *   platformId: 'wallet-tokens',
 *   fetch: async (wallet) => {
 *     const [account] = await wallet.accounts([wallet.owner]);
 *     if (account == null) return { elements: [] };
 *     const asset = { type: 'token', mint: WRAPPED_SOL_MINT, amount: account.lamports } as const;
 *     return { elements: [{ type: 'multiple', label: 'Wallet', assets: [asset] }] };
 *   },
 * };
 * ```
 */
export interface PositionFetcher {
  /** The id of the platform, `-`, and the kind of position. */
  readonly id: string;
  /** The id with which clients select its positions. */
  readonly platformId: string;
  /**
   * Finds the mints among the wallet's tokens that represent positions of this fetcher. It also runs when only fetchers
   * of other platforms are requested. If token accounts were left out, the report of the fetcher says so, because its
   * positions may be among them. Default: none.
   */
  claims?(wallet: WalletReader): Promise<ReadonlySet<Address>>;
  /**
   * The field of the program's accounts by which `fetch` finds positions that few wallets have. If that takes a search,
   * as over an outside RPC, the fetcher only runs if the request names its platform or the operator has enabled such
   * searches. Default: the fetcher always runs.
   */
  readonly rareSearch?: { readonly program: Address; readonly field: AddressField };
  fetch(wallet: WalletReader): Promise<Fetched>;
}

/**
 * Reads positions one by one, so that one with an unexpected layout hides none of the others.
 *
 * @param read - Returns null for an account without a position.
 * @throws Any error of `read` except `LayoutInvalid`.
 */
export function readEach<Found extends { readonly address: Address }, Position>(
  found: readonly Found[],
  read: (found: Found) => Position | null,
): { readonly positions: readonly Position[]; readonly unreadable: readonly Unreadable[] } {
  const positions: Position[] = [];
  const unreadable: Unreadable[] = [];
  for (const each of found) {
    try {
      const position = read(each);
      if (position !== null) positions.push(position);
    } catch (error) {
      if (!(error instanceof LayoutInvalid)) throw error;
      unreadable.push({ address: each.address, reason: error.message });
    }
  }
  return { positions, unreadable };
}
