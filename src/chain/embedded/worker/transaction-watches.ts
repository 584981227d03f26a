import type { Address } from '../../../solana/address.ts';
import type { TransactionRecord } from '../../records/records.ts';

type Named = Pick<TransactionRecord, 'error' | 'staticAddresses' | 'loadedAddresses'>;

/** Collects the successful transactions that name a watched program. */
export class TransactionWatches {
  /** The number of watches of each program. */
  readonly #programs = new Map<Address, number>();
  #waiting: Uint8Array[] = [];

  watch(programs: readonly Address[]): void {
    for (const program of programs) this.#programs.set(program, (this.#programs.get(program) ?? 0) + 1);
  }

  unwatch(programs: readonly Address[]): void {
    for (const program of programs) {
      const count = (this.#programs.get(program) ?? 0) - 1;
      if (count > 0) this.#programs.set(program, count);
      else this.#programs.delete(program);
    }
  }

  /** Adds a transaction. Returns whether it is to be sent. */
  add({ error, staticAddresses, loadedAddresses }: Named, encoded: Uint8Array): boolean {
    if (error !== null || this.#programs.size === 0) return false;
    const { writable, readonly } = loadedAddresses;
    if (![staticAddresses, writable, readonly].some((addresses) => this.#watches(addresses))) return false;
    // Copied, because a view would be sent with the whole memory that it is a view of.
    this.#waiting.push(encoded.slice());
    return true;
  }

  /** Returns the transactions since the last call, in order of execution. */
  take(): readonly Uint8Array[] {
    const taken = this.#waiting;
    if (taken.length > 0) this.#waiting = [];
    return taken;
  }

  #watches(addresses: readonly Address[]): boolean {
    for (const address of addresses) if (this.#programs.has(address)) return true;
    return false;
  }
}
