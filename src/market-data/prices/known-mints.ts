import type { Account } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import { runAs } from '../../common/party.ts';
import { type MintFacts, decodeMintFacts } from '../../market/mint-facts.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { Address } from '../../solana/address.ts';

/** How many mints are remembered of those that no pool is decoded from. */
const MAX_READ = 100_000;
const READ_AT_ONCE = 100;

/**
 * What the mints of pools say, from memory. Most pools are decoded from their mints, so those are current. The others are
 * read once: their decimals never change.
 */
export class KnownMints {
  readonly #chain: Pick<Chain, 'getAccounts'>;
  readonly #pools: Pools;
  readonly #onRead: (mint: Address) => void;
  readonly #read = new BoundedCache<Address, MintFacts | null>(MAX_READ);
  readonly #wanted = new Set<Address>();
  #reading: Promise<void> | null = null;
  /** An account is replaced when it changes. */
  readonly #facts = new WeakMap<Account, MintFacts>();

  /** @param onRead - Called with each mint that was unknown when it was asked for, and is known now. */
  constructor(chain: Pick<Chain, 'getAccounts'>, pools: Pools, onRead: (mint: Address) => void) {
    this.#chain = chain;
    this.#pools = pools;
    this.#onRead = onRead;
  }

  /** Returns null if it is not a mint, or is not known yet; then it is read. */
  facts(mint: Address): MintFacts | null {
    const account = this.#pools.account(mint);
    if (account !== null) {
      const known = this.#facts.get(account) ?? decodeMintFacts(account);
      if (known !== null) this.#facts.set(account, known);
      return known;
    }
    const read = this.#read.get(mint);
    if (read === undefined && this.#wanted.size < MAX_READ) {
      this.#wanted.add(mint);
      // A mint that could not be read is asked for again.
      this.read().catch(() => undefined);
    }
    return read ?? null;
  }

  /**
   * Reads what was asked for.
   * @throws ChainUnavailable if the network does not answer
   */
  read(): Promise<void> {
    // It reads what others have asked for too, who must not be refused because one of them has used up its calls.
    this.#reading ??= runAs('own', () => this.#readWanted()).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readWanted(): Promise<void> {
    while (this.#wanted.size > 0) {
      const mints = [...this.#wanted].slice(0, READ_AT_ONCE);
      for (const mint of mints) this.#wanted.delete(mint);
      for (const { address, account } of await this.#chain.getAccounts(mints)) {
        this.#read.set(address, account === null ? null : decodeMintFacts(account));
        this.#onRead(address);
      }
    }
  }
}
