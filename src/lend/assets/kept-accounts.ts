import type { Account, AccountFilter, AccountUpdate } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';

/** Accounts of a program that are kept current. */
export interface KeptProgram {
  readonly program: Address;
  readonly filter?: AccountFilter;
}

type KeptAccountSource = Pick<Chain, 'getAccounts' | 'getProgramAccounts' | 'watchAccounts' | 'watchProgram'>;

interface KnownState {
  readonly slot: bigint;
  readonly account: Account | null;
  /** The last result of decoding the account, and the decoder. */
  decoded: { readonly decode: unknown; readonly value: unknown } | null;
}

/**
 * The last known state of programs' accounts, and of single accounts, kept current by the chain. Reading makes no call.
 * All changes of one batch are applied before anything can be read, so over the embedded network all states are as of
 * the same slot. Over an outside RPC they can be some slots apart.
 *
 * @example
 * ```ts
 * import type { Chain } from '../../chain/chain.ts';
 * import { RESERVE } from '../../protocols/jupiter-lend/liquidity/layouts.ts';
 * import { LIQUIDITY_PROGRAM } from '../../protocols/jupiter-lend/lending-base/programs.ts';
 * import { KeptAccounts } from './kept-accounts.ts';
 *
 * async function countReserves(chain: Chain): Promise<number> {
 *   const kept = await KeptAccounts.open(chain, [{ program: LIQUIDITY_PROGRAM, filter: RESERVE.filter }]);
 *   const reserves = [...kept.accounts()].length;
 *   kept.close();
 *   return reserves;
 * }
 * ```
 */
export class KeptAccounts {
  readonly #chain: KeptAccountSource;
  readonly #held = new Map<Address, KnownState>();
  readonly #stops: (() => void)[] = [];
  /** The single accounts that are being read for the first time. */
  readonly #asked = new Set<Address>();
  #closed = false;
  readonly #listeners = new Set<(changed: readonly Address[]) => void>();
  #version = 0;

  private constructor(chain: KeptAccountSource) {
    this.#chain = chain;
  }

  /**
   * Reads all accounts, and keeps them current until `close` is called.
   * @throws ChainUnavailable when the network does not answer
   */
  static async open(chain: KeptAccountSource, programs: readonly KeptProgram[]): Promise<KeptAccounts> {
    const kept = new KeptAccounts(chain);
    try {
      await Promise.all(programs.map((each) => kept.#keepProgram(each)));
    } catch (error) {
      kept.close();
      throw error;
    }
    return kept;
  }

  /** Changes with every update, so that callers can cache what they compute. */
  get version(): number {
    return this.#version;
  }

  /** Returns null if the account does not exist, or is not kept. */
  read(address: Address): Account | null {
    return this.#held.get(address)?.account ?? null;
  }

  /**
   * Reads an account with the decoder of its layout. Each state is decoded once, however often it is read.
   * Returns null if `read` does, or if the account is of another kind.
   */
  decoded<T>(address: Address, decode: (data: Uint8Array) => T): T | null {
    const held = this.#held.get(address);
    if (held === undefined || held.account === null) return null;
    if (held.decoded?.decode !== decode) held.decoded = { decode, value: decodeOrNull(held.account, decode) };
    return held.decoded.value as T | null;
  }

  /** Every account that exists, in the order in which they were first seen. */
  *accounts(): Generator<readonly [Address, Account]> {
    for (const [address, { account }] of this.#held) if (account !== null) yield [address, account];
  }

  /**
   * Keeps single accounts as well, such as mints that the programs' accounts name. Accounts that another call is
   * already reading are left to that call. After a failure, only accounts that were read are watched, however often the
   * call is repeated.
   *
   * @throws ChainUnavailable when the network does not answer
   */
  async keep(addresses: readonly Address[]): Promise<void> {
    const unknown = addresses.filter((address) => !this.#held.has(address) && !this.#asked.has(address));
    if (unknown.length === 0) return;
    for (const address of unknown) this.#asked.add(address);
    const stop = this.#chain.watchAccounts(unknown, (updates) => this.#apply(updates));
    try {
      this.#apply(await this.#chain.getAccounts(unknown));
    } catch (error) {
      stop();
      // The states that the watch reported in the meantime would not stay current.
      for (const address of unknown) this.#held.delete(address);
      throw error;
    } finally {
      for (const address of unknown) this.#asked.delete(address);
    }
    if (this.#closed) stop();
    else this.#stops.push(stop);
  }

  /**
   * @param listener - Called after each batch of changes with the addresses that changed.
   * @returns a function that ends it
   */
  onChange(listener: (changed: readonly Address[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#closed = true;
    for (const stop of this.#stops.splice(0)) stop();
    this.#listeners.clear();
  }

  async #keepProgram({ program, filter }: KeptProgram): Promise<void> {
    this.#stops.push(this.#chain.watchProgram(program, (updates) => this.#apply(updates), filter));
    this.#apply(await this.#chain.getProgramAccounts(program, 'processed', filter));
  }

  #apply(updates: readonly AccountUpdate[]): void {
    const changed: Address[] = [];
    for (const { address, slot, account, isRollback } of updates) {
      const held = this.#held.get(address);
      if (held !== undefined && held.slot > slot && isRollback !== true) continue;
      this.#held.set(address, { slot, account, decoded: null });
      changed.push(address);
    }
    if (changed.length === 0) return;
    this.#version++;
    for (const listener of this.#listeners) listener(changed);
  }
}

function decodeOrNull<T>({ data }: Account, decode: (data: Uint8Array) => T): T | null {
  try {
    return decode(data);
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
