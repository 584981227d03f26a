import type { Address } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import type { TransactionRecord } from '../../records/records.ts';

type NamedAddresses = Pick<TransactionRecord, 'error' | 'staticAddresses' | 'loadedAddresses'>;

/**
 * Collects the successful transactions that name a watched program. They are sent in one array of bytes, because each
 * further one would cost the thread that executes transactions some of its time.
 */
export class TransactionWatches {
  /** The number of watches of each program. */
  readonly #programs = new Map<Address, number>();
  readonly #waiting = new ByteWriter(1 << 16);

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
  add({ error, staticAddresses, loadedAddresses }: NamedAddresses, encoded: Uint8Array): boolean {
    if (error !== null || this.#programs.size === 0) return false;
    const { writable, readonly } = loadedAddresses;
    if (![staticAddresses, writable, readonly].some((addresses) => this.#watches(addresses))) return false;
    this.#waiting.u32(encoded.length).bytes(encoded);
    return true;
  }

  /** Returns the transactions since the last call, in order of execution, each after its length as a u32; null without any. */
  take(): Uint8Array<ArrayBuffer> | null {
    if (this.#waiting.length === 0) return null;
    const taken = this.#waiting.finish().slice();
    this.#waiting.reset();
    return taken;
  }

  #watches(addresses: readonly Address[]): boolean {
    for (const address of addresses) if (this.#programs.has(address)) return true;
    return false;
  }
}
