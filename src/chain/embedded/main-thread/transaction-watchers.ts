import type { Address } from '../../../solana/address.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import type { ExecutedTransaction, ExecutedTransactions } from '../../executed-transactions.ts';
import { decodeExecuted } from '../records/record-codec.ts';
import type { WorkerLink } from './worker-link.ts';

interface Watcher {
  readonly programs: ReadonlySet<Address>;
  readonly onTransactions: (transactions: readonly ExecutedTransaction[]) => void;
}

/** The watchers of transactions in the main thread, which decodes what the network's thread sends. */
export class TransactionWatchers implements ExecutedTransactions {
  readonly #link: Pick<WorkerLink, 'call'>;
  readonly #watchers = new Set<Watcher>();

  constructor(link: Pick<WorkerLink, 'call'>) {
    this.#link = link;
  }

  watch(
    programs: readonly Address[],
    onTransactions: (transactions: readonly ExecutedTransaction[]) => void,
  ): () => void {
    const watched = [...new Set(programs)];
    const watcher = { programs: new Set(watched), onTransactions };
    this.#watchers.add(watcher);
    // A thread that has ended executes nothing, and `unhealthy` reports it.
    this.#link.call('watchTransactions', watched).catch(() => undefined);
    return () => {
      if (!this.#watchers.delete(watcher)) return;
      this.#link.call('unwatchTransactions', watched).catch(() => undefined);
    };
  }

  async after(
    slot: bigint,
    programs: readonly Address[],
    limit: number,
  ): Promise<readonly ExecutedTransaction[]> {
    const encoded = await this.#link.call('encodedTransactions', slot, programs, limit);
    return encoded.map(decodeExecuted);
  }

  /** @param encoded - As `TransactionWatches` returns them. */
  handle(encoded: Uint8Array): void {
    const transactions: ExecutedTransaction[] = [];
    for (const reader = new ByteReader(encoded, 'list of transaction records'); reader.remaining > 0; ) {
      transactions.push(decodeExecuted(reader.bytes(reader.u32())));
    }
    for (const { programs, onTransactions } of this.#watchers) {
      const wanted = transactions.filter(({ calls }) => calls.some(({ program }) => programs.has(program)));
      if (wanted.length > 0) onTransactions(wanted);
    }
  }
}
