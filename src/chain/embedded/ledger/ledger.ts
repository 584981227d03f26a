import type { Address } from '../../../solana/address.ts';
import {
  SYSVAR_CLOCK,
  SYSVAR_OWNER,
  SYSVAR_RECENT_BLOCKHASHES,
  SYSVAR_SLOT_HASHES,
  SYSVAR_SLOT_HISTORY,
} from '../../../solana/program-addresses.ts';
import { parseTransaction, type Transaction } from '../../../solana/messages/transaction.ts';
import type { Account } from '../../accounts.ts';
import type { AccountEntry } from '../records/account-codec.ts';
import { AccountStore, isEqualAccount } from './accounts.ts';
import { MAX_BLOCKHASH_AGE } from '../../recent-blockhashes.ts';
import { Blocks, type OpenBlock, SLOT_HASHES } from '../blocks/blocks.ts';
import { type HistoryEntry, TransactionHistory } from '../blocks/history.ts';
import { createHistoryEntry } from './history-entry.ts';
import { hashMessage } from './incoming-transaction.ts';
import { PriorityFees } from '../blocks/priority-fees.ts';
import { decodeRecord } from '../records/record-codec.ts';
import type { TransactionRecord } from '../../records/records.ts';
import type { SlotRecord } from '../blocks/slot-record.ts';
import type { NetworkState } from '../blocks/snapshot-codec.ts';
import { type CachedStatus, StatusCache } from '../blocks/status-cache.ts';
import { listStartAccounts, createSvm, type Svm, writeAccount, writeAccounts } from './svm.ts';
import { SlotHistory, type SysvarSource, encodeSlotSysvars } from '../blocks/sysvars.ts';

/** Sysvars that are derived from the blocks and therefore not stored. */
const SLOT_SYSVARS: ReadonlySet<Address> = new Set([
  SYSVAR_CLOCK,
  SYSVAR_SLOT_HASHES,
  SYSVAR_RECENT_BLOCKHASHES,
  SYSVAR_SLOT_HISTORY,
]);

/** The state of the network, and the LiteSVM whose accounts are kept equal to `accounts`. */
export class Ledger {
  readonly genesisSeed: string;
  readonly accounts = new AccountStore();
  readonly blocks: Blocks;
  readonly statuses: StatusCache;
  readonly history: TransactionHistory;
  readonly priorityFees = new PriorityFees();
  /** The offset of the network's clock, in milliseconds, that tests have set. */
  clockOffset: bigint;
  /** Returns the newest state of an account. */
  readonly accountAt = (address: Address): Account | null => this.accounts.get(address);
  readonly #slotHistory: SlotHistory;
  #svm: Svm;
  /** The accounts of a new LiteSVM. */
  readonly #start: ReadonlyMap<Address, Account>;

  constructor(state: NetworkState, historyCapacity: number, blockhashLifetime = MAX_BLOCKHASH_AGE) {
    this.genesisSeed = state.genesisSeed;
    this.blocks = new Blocks(state.chain, blockhashLifetime);
    this.statuses = new StatusCache(blockhashLifetime);
    this.clockOffset = state.clockOffset;
    this.history = new TransactionHistory(historyCapacity);
    this.#slotHistory = new SlotHistory(state.slotHistory);
    this.#svm = createSvm();
    this.#start = new Map(listStartAccounts(this.#svm).map(({ address, account }) => [address, account]));
    for (const [address, account] of this.#start) this.accounts.set(address, account);
    for (const [address, account] of state.accounts) this.accounts.set(address, account);
    for (const status of state.statuses) this.statuses.add(status);
    this.history.restore(
      state.transactions.map((encoded) => toHistoryAndStatus(decodeRecord(encoded), encoded).entry),
    );
  }

  get svm(): Svm {
    return this.#svm;
  }

  /** Applies the record of a slot. Call it before `begin`. */
  replay(record: SlotRecord): void {
    const { block } = record;
    for (const [address, account] of record.accounts) this.accounts.set(address, account);
    for (const encoded of record.transactions) {
      const decoded = decodeRecord(encoded);
      const { entry, status } = toHistoryAndStatus(decoded, encoded);
      this.history.add(entry);
      this.statuses.add({ ...status, height: block.height });
    }
    this.clockOffset = record.clockOffset;
    this.blocks.advance(block, record.open);
    this.#slotHistory.add(block.slot);
    this.statuses.forgetBefore(record.open.height);
  }

  /** Writes the accounts to LiteSVM and opens the slot. Everything before it is finalized. */
  begin(time: bigint): void {
    const { blocks } = this;
    const [tip = blocks.tip, ...before] = blocks.newest(SLOT_HASHES + 1);
    const history = this.#slotHistory.dataBefore(tip);
    this.#writeSysvars({ clock: tip, blocks: before, history });
    blocks.settle();
    blocks.setTime(time);
    this.#fillSvm();
    this.#openSlot();
  }

  /** Completes `block` and opens the next one. */
  advance(block: Parameters<Blocks['advance']>[0], open: OpenBlock): void {
    this.blocks.advance(block, open);
    this.#slotHistory.add(block.slot);
    this.statuses.forgetBefore(open.height);
    this.#openSlot();
  }

  /**
   * Writes accounts here and in LiteSVM; null deletes one. Programs are written last, because their code may be in an
   * account of the same call. Throws when LiteSVM refuses an account; earlier ones are written then.
   *
   * Whether anything changed.
   */
  write(entries: readonly AccountEntry[]): boolean {
    const changed = entries.filter(
      ([address, account]) => !isEqualAccount(this.accounts.get(address), account),
    );
    if (changed.length === 0) return false;
    const losesProgram = changed.some(
      ([address, account]) => this.accounts.get(address)?.executable === true && account?.executable !== true,
    );
    const programs = entries.filter(([, account]) => account?.executable === true);
    const others = changed.filter(([, account]) => account?.executable !== true);
    for (const [address, account] of [...others, ...programs]) {
      if (!losesProgram) writeAccount(this.#svm, address, account);
      this.accounts.set(address, account);
    }
    if (losesProgram) this.#renewSvm();
    return true;
  }

  /** Updates the sysvars of the open slot from the blocks. */
  refreshSysvars(): void {
    const { blocks } = this;
    const history = this.#slotHistory.data();
    this.#writeSysvars({ clock: blocks.open, blocks: blocks.newest(SLOT_HASHES), history });
  }

  /** Returns the accounts that the open slot has changed, without sysvars, for the log. */
  changedAccounts(): AccountEntry[] {
    return this.accounts
      .changedAddresses(this.blocks.open.slot)
      .map((address): AccountEntry => [address, this.accounts.get(address)])
      .filter(([, account]) => account?.owner !== SYSVAR_OWNER);
  }

  /** Like `state`, but without transactions, for snapshots of tests. */
  accountsState(): NetworkState {
    return { ...this.state(), statuses: [], transactions: [] };
  }

  /** Returns the state at the end of the last block. Call it before anything happens in the open slot. */
  state(): NetworkState {
    const accounts: AccountEntry[] = [];
    for (const [address, account] of this.accounts.entries()) {
      if (account !== this.#start.get(address) && !SLOT_SYSVARS.has(address))
        accounts.push([address, account]);
    }
    for (const address of this.#start.keys()) {
      if (this.accounts.get(address) === null) accounts.push([address, null]);
    }
    return {
      genesisSeed: this.genesisSeed,
      chain: this.blocks.state(),
      slotHistory: this.#slotHistory.data(),
      clockOffset: this.clockOffset,
      accounts,
      statuses: this.statuses.entries(),
      transactions: Array.from(this.history.entries(), (entry) => entry.encoded),
    };
  }

  /** Replaces the LiteSVM, because it keeps loaded programs and aborts when the account of one is gone. */
  #renewSvm(): void {
    this.#svm = createSvm();
    this.#fillSvm();
    this.refreshSysvars();
  }

  /** Returns the writes that restore the accounts of a state. Sysvars are not restored. */
  differenceTo(accounts: readonly AccountEntry[]): AccountEntry[] {
    const target = new Map<Address, Account | null>(this.#start);
    for (const [address, account] of accounts) target.set(address, account);
    for (const [address] of this.accounts.entries()) if (!target.has(address)) target.set(address, null);
    return [...target].filter(
      ([address, account]) =>
        account?.owner !== SYSVAR_OWNER &&
        !SLOT_SYSVARS.has(address) &&
        !isEqualAccount(this.accounts.get(address), account),
    );
  }

  /** Sets the clock of the open slot, possibly to an earlier time. */
  setClock(offset: bigint, time: bigint): void {
    this.clockOffset = offset;
    this.blocks.resetTime(time);
    this.refreshSysvars();
  }

  #writeSysvars(source: SysvarSource): void {
    for (const { address, account } of encodeSlotSysvars(source)) {
      writeAccount(this.#svm, address, account);
      this.accounts.set(address, account);
    }
  }

  #openSlot(): void {
    const { slot } = this.blocks.open;
    this.accounts.openSlot(slot);
    this.priorityFees.openSlot(slot);
    this.refreshSysvars();
  }

  #fillSvm(): void {
    const changed = Array.from(this.accounts.entries(), ([address, account]) => ({
      address,
      account,
    })).filter(({ address, account }) => account !== this.#start.get(address) && !SLOT_SYSVARS.has(address));
    writeAccounts(this.#svm, changed);
    for (const address of this.#start.keys()) {
      if (this.accounts.get(address) === null) writeAccount(this.#svm, address, null);
    }
  }
}

/** Returns a record in the forms of the history and the status cache. The status lacks the height. */
function toHistoryAndStatus(
  record: TransactionRecord,
  encoded: Uint8Array,
): { entry: HistoryEntry; status: Omit<CachedStatus, 'height'> } {
  const transaction: Transaction = parseTransaction(record.wire);
  const { signature, slot, error } = record;
  const messageHash = hashMessage(transaction.messageBytes);
  return {
    entry: createHistoryEntry(record, transaction.message, encoded),
    status: { signature, slot, error, messageHash },
  };
}

/** Returns the network's time in Unix seconds, from the time and an offset in milliseconds. */
export function computeUnixSeconds(now: () => number, clockOffset: bigint): bigint {
  return (BigInt(Math.floor(now())) + clockOffset) / 1000n;
}
