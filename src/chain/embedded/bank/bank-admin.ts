import type { Address } from '../../../solana/address.ts';
import { SYSVAR_OWNER } from '../../../solana/program-addresses.ts';
import { U64_MAX } from '../../../solana/units.ts';
import type { Account } from '../../chain.ts';
import type { AccountEntry } from '../records/account-codec.ts';
import { AdminRefused, type BankAdmin } from '../ledger/bank.ts';
import { type Faults, FaultPlan, invalidFaults } from '../blocks/faults.ts';
import type { NamedSnapshots } from '../storage/named-snapshots.ts';
import type { BankEvent } from '../records/records.ts';
import type { NetworkState } from '../blocks/snapshot-codec.ts';
import type { Live } from '../slots/slot-view.ts';

const MAX_WARP_SLOTS = 100_000_000;
/** A hundred years. */
const MAX_WARP_SECONDS = 3_155_760_000;
const MAX_ACCOUNTS = 1_000;
const MAX_ACCOUNT_DATA = 10 * 1024 * 1024;

export interface AdminOptions {
  readonly live: Live;
  /** The network's time with that offset in milliseconds. */
  readonly unixSeconds: (clockOffset: bigint) => bigint;
  /** As `SlotPipeline.advance`. */
  readonly advance: (skipped: bigint, opened: () => void) => Promise<void>;
  /** The accounts are those of another time from the slot on that is open. */
  readonly restored: () => void;
  readonly snapshots: NamedSnapshots;
  readonly production: boolean;
  readonly slotMs: number;
  readonly emit: (event: BankEvent) => void;
}

interface AccountWrite {
  readonly address: Address;
  readonly account: Account | null;
}

export class Admin implements BankAdmin {
  readonly #options: AdminOptions;

  constructor(options: AdminOptions) {
    this.#options = options;
  }

  async warp(by: { readonly slots?: number; readonly seconds?: number }) {
    const { live, advance, slotMs } = this.#allowed();
    const slots = checkRange('slots', by.slots ?? 0, MAX_WARP_SLOTS);
    const seconds = checkRange(
      'seconds',
      by.seconds ?? Math.floor((slots * slotMs) / 1000),
      MAX_WARP_SECONDS,
    );
    live.ledger.clockOffset += BigInt(seconds) * 1000n;
    // The last of the blocks is made, not skipped, so that there is a blockhash that can be used.
    const ended =
      slots > 1 ? [advance(BigInt(slots - 2), ignore), advance(0n, ignore)] : [advance(0n, ignore)];
    const { slot, time } = live.ledger.blocks.open;
    await Promise.all(ended);
    return { slot, unixTimestamp: time };
  }

  setAccounts(writes: readonly AccountWrite[]): bigint {
    const { live, emit } = this.#allowed();
    const { ledger } = live;
    checkWrites(writes, (address) => ledger.accounts.get(address));
    const entries = writes.map(({ address, account }): AccountEntry => [address, account]);
    const before = writes.map(({ address }): AccountEntry => [address, ledger.accounts.get(address)]);
    const { slot } = ledger.blocks.open;
    try {
      ledger.write(entries);
    } catch (error) {
      ledger.write(before);
      throw new AdminRefused(
        `nothing was written: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    emit({ kind: 'accounts', slot, changes: writes.map((write) => ({ ...write, slot })) });
    return slot;
  }

  async saveSnapshot(name: string): Promise<void> {
    const { live, advance, snapshots } = this.#allowed();
    const { slot } = live.ledger.blocks.open;
    const captured: NetworkState[] = [];
    const confirmed = advance(0n, () => captured.push(live.ledger.accountsState()));
    await Promise.all([confirmed, ...captured.map((state) => snapshots.save(name, slot, state))]);
  }

  async restoreSnapshot(name: string): Promise<void> {
    const { live, advance, restored, snapshots, emit, unixSeconds } = this.#allowed();
    const { ledger } = live;
    const { accounts, clockOffset } = snapshots.load(name);
    const entries = ledger.differenceTo(accounts);
    const { slot } = ledger.blocks.open;
    ledger.write(entries);
    ledger.setClock(clockOffset, unixSeconds(clockOffset));
    emit({
      kind: 'accounts',
      slot,
      changes: entries.map(([address, account]) => ({ address, account, slot })),
    });
    await advance(0n, restored);
  }

  async deleteSnapshot(name: string): Promise<void> {
    this.#allowed().snapshots.delete(name);
  }

  snapshots() {
    return this.#allowed().snapshots.list();
  }

  setFaults(faults: Faults): void {
    const { live } = this.#allowed();
    const reason = invalidFaults(faults);
    if (reason !== null) throw new AdminRefused(reason);
    live.faults = new FaultPlan(faults);
    live.ledger.priorityFees.setFloor(faults.congestion);
  }

  faults(): Faults {
    return this.#allowed().live.faults.faults;
  }

  #allowed(): AdminOptions {
    if (!this.#options.production) return this.#options;
    throw new AdminRefused(
      'this network runs with production: its clock, accounts and faults cannot be touched',
    );
  }
}

function ignore(): void {}

function checkRange(name: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new AdminRefused(`${name} must be a whole number from 0 to ${most}, got ${value}`);
}

function checkWrites(writes: readonly AccountWrite[], accountAt: (address: Address) => Account | null): void {
  if (writes.length > MAX_ACCOUNTS) {
    throw new AdminRefused(`at most ${MAX_ACCOUNTS} accounts can be written at once, got ${writes.length}`);
  }
  for (const { address, account } of writes) {
    if (account?.owner === SYSVAR_OWNER || accountAt(address)?.owner === SYSVAR_OWNER) {
      throw new AdminRefused(`${address} is a sysvar, which only the runtime writes; see warp for the clock`);
    }
    if (account === null) continue;
    if (account.lamports <= 0n || account.lamports > U64_MAX) {
      throw new AdminRefused(`${address} must have from 1 to ${U64_MAX} lamports, got ${account.lamports}`);
    }
    if (account.data.length > MAX_ACCOUNT_DATA) {
      throw new AdminRefused(`${address} can have ${MAX_ACCOUNT_DATA} bytes, got ${account.data.length}`);
    }
  }
}
