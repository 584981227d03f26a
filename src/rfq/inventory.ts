import type { Account, AccountUpdate } from '../chain/chain.ts';
import { type AccountSource, WatchedAccounts } from '../market/watched-accounts.ts';
import { type Address, parseAddress } from '../solana/address.ts';
import { associatedTokenAddress } from '../solana/pda.ts';
import type { KnownBalance, KnownMint } from './check-snapshot.ts';
import { balanceOf, mintOf } from './token-facts.ts';

/** Who is told of the state of one account. */
interface Dependent {
  readonly changed: (account: Account | null) => void;
}

interface TrackedMint {
  known: KnownMint;
  readonly address: Address;
  readonly dependent: Dependent;
  /** The makers that quote it. */
  readonly makers: Set<string>;
  /** Settled when it was read. */
  ready: Promise<void>;
  isRead: boolean;
}

interface Holding {
  balance: KnownBalance;
  readonly account: Address;
  readonly dependent: Dependent;
}

/** A maker's token accounts, by mint. */
type Holdings = Map<string, Holding>;

/** A maker that quotes more mints than this between two connections is refused. */
const MOST_MINTS = 64;
const NOT_READ = { unusable: 'has not been read yet' };

/**
 * The mints that makers quote and the makers' associated token accounts for them, kept current by the chain's watch.
 * It is the only owner of what the market knows of makers' balances.
 */
export class Inventory {
  readonly #accounts: WatchedAccounts<Dependent>;
  readonly #mints = new Map<string, TrackedMint>();
  readonly #makers = new Map<string, Holdings>();
  readonly #listeners = new Set<(makerId: string, mint: string) => void>();

  constructor(chain: AccountSource) {
    this.#accounts = new WatchedAccounts(chain, (updates) => this.#apply(updates));
  }

  mint(mint: string): KnownMint {
    return this.#mints.get(mint)?.known ?? NOT_READ;
  }

  balance(makerId: string, mint: string): KnownBalance {
    return this.#makers.get(makerId)?.get(mint)?.balance ?? NOT_READ;
  }

  /** Calls back after a balance that was held has changed; returns the way to stop. */
  onChange(listener: (makerId: string, mint: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Null when everything about the pair is held; otherwise what to wait for. What cannot be held, such as a mint that
   * is no address, is held to be unusable.
   * @throws ChainUnavailable by the promise, when the network cannot be read
   */
  missing(makerId: string, owner: Address, pair: readonly [string, string]): Promise<void> | null {
    const [base, quote] = pair;
    if (this.#holds(makerId, base) && this.#holds(makerId, quote)) return null;
    return this.#takeAll(makerId, owner, pair);
  }

  /** Forgets the maker's accounts, and the mints that no other maker quotes. */
  release(makerId: string): void {
    for (const holding of this.#makers.get(makerId)?.values() ?? []) {
      this.#accounts.release(holding.dependent, holding.account);
    }
    this.#makers.delete(makerId);
    for (const [mint, tracked] of this.#mints) {
      if (tracked.makers.delete(makerId) && tracked.makers.size === 0) this.#dropMint(mint, tracked);
    }
  }

  close(): void {
    this.#accounts.close();
  }

  #holds(makerId: string, mint: string): boolean {
    if (this.#makers.get(makerId)?.has(mint) === true) return true;
    const tracked = this.#mints.get(mint);
    if (tracked !== undefined) return tracked.isRead && 'unusable' in tracked.known;
    return parseAddress(mint) === null;
  }

  async #takeAll(makerId: string, owner: Address, mints: readonly string[]): Promise<void> {
    const holdings = this.#makers.get(makerId) ?? new Map<string, Holding>();
    this.#makers.set(makerId, holdings);
    for (const mint of mints) await this.#take(makerId, holdings, owner, mint);
  }

  async #take(makerId: string, holdings: Holdings, owner: Address, mint: string): Promise<void> {
    const address = parseAddress(mint);
    if (address === null || holdings.has(mint) || holdings.size >= MOST_MINTS) return;
    const tracked = this.#mints.get(mint) ?? this.#trackMint(mint, address);
    tracked.makers.add(makerId);
    await tracked.ready;
    const { known } = tracked;
    if ('unusable' in known || holdings.has(mint) || this.#makers.get(makerId) !== holdings) return;
    const account = associatedTokenAddress(owner, known.mint, known.tokenProgram);
    const dependent = {
      changed: (state: Account | null) => {
        holding.balance = balanceOf(account, state, known);
        if (holdings.get(mint) !== holding) return;
        for (const listener of this.#listeners) listener(makerId, mint);
      },
    };
    const holding: Holding = { balance: NOT_READ, account, dependent };
    this.#accounts.depend(dependent, account);
    try {
      this.#accounts.watch([account]);
      await this.#accounts.refresh([account]);
    } catch (error) {
      this.#accounts.release(dependent, account);
      throw error;
    }
    if (this.#makers.get(makerId) === holdings) holdings.set(mint, holding);
    else this.#accounts.release(dependent, account);
  }

  #trackMint(mint: string, address: Address): TrackedMint {
    const dependent = {
      changed: (account: Account | null) => {
        tracked.known = mintOf(address, account);
        tracked.isRead = true;
      },
    };
    const tracked: TrackedMint = {
      ...{ known: NOT_READ, address, dependent, makers: new Set<string>() },
      ...{ ready: Promise.resolve(), isRead: false },
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
