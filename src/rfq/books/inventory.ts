import type { Account, AccountUpdate } from '../../chain/accounts.ts';
import { type WatchedAccountSource, WatchedAccounts } from '../../market/pools/watched-accounts.ts';
import { type Address, parseAddress } from '../../solana/address.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import type { KnownBalance, KnownMint } from './check-snapshot.ts';
import { readKnownBalance, readKnownMint } from './token-facts.ts';

/** Receives the state of one account. */
interface Dependent {
  readonly changed: (account: Account | null) => void;
}

interface TrackedMint {
  known: KnownMint;
  readonly address: Address;
  readonly dependent: Dependent;
  /** The ids of the makers that quote it. */
  readonly makers: Set<string>;
  /** Settles when the mint was read. */
  ready: Promise<void>;
  isRead: boolean;
}

interface InventoryBalance {
  balance: KnownBalance;
  readonly account: Address;
  readonly dependent: Dependent;
}

interface MakerInventory {
  /** Every mint that the maker has named, quotable or not. */
  readonly mints: Set<string>;
  /** The maker's token accounts, by mint. */
  readonly accounts: Map<string, InventoryBalance>;
}

/** The maximum number of mints that a maker can name between two connections, because each one is watched. */
const MAX_MINTS = 64;
const NOT_READ = { unusable: 'has not been read yet' };
const TOO_MANY = { unusable: `is one too many: a connected maker may quote at most ${MAX_MINTS} mints` };

/**
 * The mints that makers quote and the makers' associated token accounts, kept current by watching the chain. It is the
 * only source of makers' balances.
 *
 * @example
 * ```ts
 * import type { Inventory } from './inventory.ts';
 *
 * function balanceOf(inventory: Inventory, makerId: string, mint: string): bigint {
 *   const balance = inventory.balance(makerId, mint);
 *   return 'amount' in balance ? balance.amount : 0n;
 * }
 * ```
 */
export class Inventory {
  readonly #accounts: WatchedAccounts<Dependent>;
  readonly #mints = new Map<string, TrackedMint>();
  readonly #makers = new Map<string, MakerInventory>();
  readonly #listeners = new Set<(makerId: string, mint: string) => void>();

  constructor(chain: WatchedAccountSource) {
    this.#accounts = new WatchedAccounts(chain, (updates) => this.#apply(updates));
  }

  mint(makerId: string, mint: string): KnownMint {
    const holdings = this.#makers.get(makerId);
    if (holdings?.mints.has(mint) === true) return this.#mints.get(mint)?.known ?? NOT_READ;
    if (parseAddress(mint) === null) {
      return { unusable: `must be an address of 32 bytes in base58, got ${formatForError(mint)}` };
    }
    return isFull(holdings) ? TOO_MANY : NOT_READ;
  }

  balance(makerId: string, mint: string): KnownBalance {
    return this.#makers.get(makerId)?.accounts.get(mint)?.balance ?? NOT_READ;
  }

  /**
   * Calls `listener` after a known balance has changed, or its mint has become unquotable.
   * Returns a function that stops it.
   */
  onChange(listener: (makerId: string, mint: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Reads what is not known of a pair. Values that cannot be read, such as an invalid address, are known to be
   * unusable.
   * Returns null if everything is known; otherwise a promise, which rejects with `ChainUnavailable` if the network does
   * not answer.
   */
  missing(makerId: string, owner: Address, pair: readonly [string, string]): Promise<void> | null {
    const [base, quote] = pair;
    if (this.#holds(makerId, base) && this.#holds(makerId, quote)) return null;
    return this.#takeAll(makerId, owner, pair);
  }

  /** Stops watching the maker's accounts, and the mints that no other maker quotes. */
  release(makerId: string): void {
    const holdings = this.#makers.get(makerId);
    if (holdings === undefined) return;
    this.#makers.delete(makerId);
    for (const { dependent, account } of holdings.accounts.values()) {
      this.#accounts.release(dependent, account);
    }
    for (const mint of holdings.mints) {
      const tracked = this.#mints.get(mint);
      if (tracked?.makers.delete(makerId) === true && tracked.makers.size === 0)
        this.#dropMint(mint, tracked);
    }
  }

  close(): void {
    this.#accounts.close();
  }

  #holds(makerId: string, mint: string): boolean {
    const holdings = this.#makers.get(makerId);
    if (holdings?.accounts.has(mint) === true) return true;
    if (holdings?.mints.has(mint) !== true) return isFull(holdings) || parseAddress(mint) === null;
    const tracked = this.#mints.get(mint);
    return tracked?.isRead === true && 'unusable' in tracked.known;
  }

  async #takeAll(makerId: string, owner: Address, mints: readonly string[]): Promise<void> {
    const holdings = this.#makers.get(makerId) ?? { mints: new Set(), accounts: new Map() };
    this.#makers.set(makerId, holdings);
    for (const mint of mints) await this.#take(makerId, holdings, owner, mint);
  }

  async #take(makerId: string, holdings: MakerInventory, owner: Address, mint: string): Promise<void> {
    if (this.#holds(makerId, mint)) return;
    const address = parseAddress(mint);
    if (address === null) return;
    const tracked = this.#mints.get(mint) ?? this.#trackMint(mint, address);
    tracked.makers.add(makerId);
    holdings.mints.add(mint);
    await tracked.ready;
    const { known } = tracked;
    const { accounts } = holdings;
    if ('unusable' in known || accounts.has(mint) || this.#makers.get(makerId) !== holdings) return;
    const account = deriveAssociatedTokenAddress(owner, known.mint, known.tokenProgram);
    const dependent = {
      changed: (state: Account | null) => {
        holding.balance = readKnownBalance(account, state, known);
        if (accounts.get(mint) === holding) this.#tell(mint, [makerId]);
      },
    };
    const holding: InventoryBalance = { balance: NOT_READ, account, dependent };
    this.#accounts.depend(dependent, account);
    try {
      this.#accounts.watch([account]);
      await this.#accounts.refresh([account]);
    } catch (error) {
      this.#accounts.release(dependent, account);
      throw error;
    }
    if (this.#makers.get(makerId) === holdings) accounts.set(mint, holding);
    else this.#accounts.release(dependent, account);
  }

  #trackMint(mint: string, address: Address): TrackedMint {
    const dependent = {
      changed: (account: Account | null) => {
        tracked.known = readKnownMint(address, account);
        tracked.isRead = true;
        if ('unusable' in tracked.known) this.#tell(mint, tracked.makers);
      },
    };
    const tracked: TrackedMint = {
      known: NOT_READ,
      address,
      dependent,
      makers: new Set<string>(),
      ready: Promise.resolve(),
      isRead: false,
    };
    this.#mints.set(mint, tracked);
    this.#accounts.depend(dependent, address);
    this.#accounts.watch([address]);
    tracked.ready = this.#accounts.refresh([address]).catch((error: unknown) => {
      if (this.#mints.get(mint) === tracked) this.#dropMint(mint, tracked);
      throw error;
    });
    return tracked;
  }

  #tell(mint: string, makerIds: Iterable<string>): void {
    for (const makerId of makerIds) {
      for (const listener of this.#listeners) listener(makerId, mint);
    }
  }

  #dropMint(mint: string, { dependent, address }: TrackedMint): void {
    this.#mints.delete(mint);
    this.#accounts.release(dependent, address);
  }

  #apply(updates: readonly AccountUpdate[]): void {
    for (const update of updates) {
      for (const { changed } of this.#accounts.hold(update)) changed(update.account);
    }
  }
}

function isFull(holdings: MakerInventory | undefined): boolean {
  return holdings !== undefined && holdings.mints.size >= MAX_MINTS;
}
