import type { Block } from '../blocks/blocks.ts';
import { MAX_STALE_SLOTS } from '../blocks/blocks.ts';
import type { HistoryEntry } from '../blocks/history.ts';
import { decodeRecord } from '../records/record-codec.ts';
import type { BankEvent, CommittedTransaction, SlotCommitted } from '../../records/records.ts';
import type { LiveState } from './live-state.ts';
import type { Storage } from '../storage/storage.ts';

/** The maximum number of completed slots that are not durable yet. */
const MAX_UNCONFIRMED = 64;

/** The part of the storage that makes slots durable. */
export type PipelineStorage = Pick<Storage, 'append' | 'snapshotDue' | 'snapshot' | 'failure' | 'retry'>;

export interface SlotPipelineOptions {
  readonly live: LiveState;
  /** With null, nothing is stored, and a slot is confirmed as soon as it ends. */
  readonly storage: PipelineStorage | null;
  readonly emit: (event: BankEvent) => void;
  /** Returns the network's time in Unix seconds, given an offset of its clock in milliseconds. */
  readonly unixSeconds: (clockOffset: bigint) => bigint;
  /** Called when a snapshot could not be written. The log is complete, and the next snapshot is tried later. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** Ends slots, makes them durable, and moves them to confirmed and finalized. */
export class SlotPipeline {
  readonly #options: SlotPipelineOptions;
  /** The transactions of the slots that are not finalized. */
  readonly #included = new Map<bigint, readonly HistoryEntry[]>();
  #unconfirmed = 0;
  #failure: string | null = null;

  constructor(options: SlotPipelineOptions) {
    this.#options = options;
  }

  /** Returns what is wrong, or null while the disk keeps up. */
  get unhealthy(): string | null {
    if (this.#failure !== null) return this.#failure;
    const refused = this.#options.storage?.failure ?? null;
    if (refused !== null) return unwritable(refused);
    if (this.#unconfirmed < MAX_UNCONFIRMED) return null;
    return `the disk does not keep up: ${this.#unconfirmed} slots wait to be written`;
  }

  /**
   * Ends the open slot and opens the next one, `skipped` slots later. Calls `opened` before anything happens in it.
   *
   * Resolves when the ended slot is confirmed. While the disk refuses writes, for example because it is full,
   * every call retries them and rejects. Earlier slots are confirmed as soon as the disk accepts them. Rejects for good
   * when the storage has given the slot up; the network then includes nothing more.
   */
  async advance(skipped: bigint, opened: () => void): Promise<void> {
    const { live, storage, emit, unixSeconds, onDefect } = this.#options;
    storage?.retry();
    if (this.unhealthy !== null) throw new Error(this.unhealthy);
    const { ledger, open: entries } = live;
    const block = ledger.blocks.ended(entries.length);
    const open = ledger.blocks.after(block, unixSeconds(ledger.clockOffset), skipped);
    const durable = storage?.append({
      block,
      parentHash: ledger.blocks.tip.hash,
      open,
      clockOffset: ledger.clockOffset,
      transactions: entries.map((entry) => entry.encoded),
      accounts: ledger.changedAccounts(),
    });
    this.#included.set(block.slot, entries);
    live.open = [];
    ledger.advance(block, open);
    if (storage?.snapshotDue)
      storage.snapshot(ledger.state()).catch((error) => onDefect("the network's snapshot", error));
    this.#unconfirmed++;
    opened();
    emit({ kind: 'slot', slot: open.slot, parent: block.slot, root: ledger.blocks.finalized.slot });
    try {
      await durable;
    } catch (error) {
      this.#failure = unwritable(error instanceof Error ? error.message : String(error));
      throw error;
    }
    this.#confirm(block);
  }

  #confirm({ slot }: Block): void {
    const { ledger } = this.#options.live;
    this.#unconfirmed--;
    ledger.blocks.confirm(slot);
    this.#commit('confirmed', slot);
    for (const block of ledger.blocks.finalize()) {
      this.#commit('finalized', block.slot);
      this.#included.delete(block.slot);
    }
    ledger.accounts.forgetBefore(ledger.blocks.finalized.slot - BigInt(MAX_STALE_SLOTS));
  }

  #commit(commitment: SlotCommitted['commitment'], slot: bigint): void {
    const { live, emit } = this.#options;
    const { accounts } = live.ledger;
    const transactions = this.#included.get(slot) ?? [];
    emit({
      kind: 'commitment',
      commitment,
      slot,
      get changes() {
        return accounts.changesOf(slot);
      },
      transactions: transactions.map(committedTransaction),
    });
  }
}

function unwritable(reason: string): string {
  return `the network's log cannot be written: ${reason}`;
}

function committedTransaction({ signature, slot, error, encoded }: HistoryEntry): CommittedTransaction {
  return { signature, slot, error, record: () => decodeRecord(encoded) };
}
