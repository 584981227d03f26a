import type { Address } from '../../../solana/address.ts';
import type { Account } from '../../accounts.ts';
import type { AccountEntry } from '../records/account-codec.ts';
import { AdminRefused, type BankAdmin, type TravelTarget } from '../ledger/bank.ts';
import { type Faults, FaultPlan, findFaultPlanProblem, NO_FAULTS } from '../blocks/faults.ts';
import { findNextFaultProblem, type NextFault } from '../blocks/next-faults.ts';
import type { NamedSnapshots } from '../storage/named-snapshots.ts';
import { packSnapshot, unpackSnapshot } from '../storage/portable-snapshot.ts';
import type { AddressedAccount, BankEvent } from '../../records/records.ts';
import type { NetworkState } from '../blocks/snapshot-codec.ts';
import type { NetworkPrice, WalkTerms } from '../ledger/network-prices.ts';
import type { PriceProcess } from '../prices/price-process.ts';
import type { ProcessedTransaction } from '../runtime/process-transaction.ts';
import type { LiveState } from '../slots/live-state.ts';
import {
  type AccountWrite,
  computeTravelDistance,
  requireWarpRange,
  requireWritable,
} from './admin-arguments.ts';

export interface AdminOptions {
  readonly live: LiveState;
  /** Returns the network's time in Unix seconds, given an offset of its clock in milliseconds. */
  readonly unixSeconds: (clockOffset: bigint) => bigint;
  /** See `SlotPipeline.advance`. */
  readonly advance: (skipped: bigint, opened: () => void) => Promise<void>;
  /** Called after the accounts of a snapshot were restored, in the open slot. */
  readonly restored: () => void;
  readonly snapshots: NamedSnapshots;
  /** Accounts that are loaded over those of the genesis. */
  readonly overlay: readonly AddressedAccount[];
  readonly prices: PriceProcess;
  /** Adds transactions that were processed in the open slot to its history. */
  readonly include: (landings: readonly ProcessedTransaction[]) => void;
  readonly production: boolean;
  readonly slotMs: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly emit: (event: BankEvent) => void;
}

export class EmbeddedBankAdmin implements BankAdmin {
  readonly #options: AdminOptions;
  /** When the clock was paused, or when the pause was last subtracted from it. Null while it runs. */
  #pausedAt: number | null = null;

  constructor(options: AdminOptions) {
    this.#options = options;
  }

  async warp(by: { readonly slots?: number; readonly seconds?: number }) {
    const { live, slotMs } = this.#allowed();
    const { slots = 0, seconds = Math.floor((slots * slotMs) / 1000) } = by;
    requireWarpRange({ slots, seconds });
    const ended = this.#skip(slots, seconds);
    const { slot, time } = live.ledger.blocks.open;
    await ended;
    return { slot, unixTimestamp: time };
  }

  travel(to: TravelTarget): void {
    const { live, slotMs } = this.#allowed();
    const { slots, seconds } = computeTravelDistance(to, live.ledger.blocks.open, slotMs);
    // A disk that refuses the slots is reported by `unhealthy`.
    this.#skip(slots, seconds).catch(ignore);
  }

  get isClockPaused(): boolean {
    return this.#pausedAt !== null;
  }

  pauseClock(): void {
    this.#pausedAt ??= this.#allowed().now();
  }

  resumeClock(): void {
    this.#allowed();
    this.#takeOffPause();
    this.#pausedAt = null;
  }

  setAccounts(writes: readonly AccountWrite[]): bigint {
    const { live, emit } = this.#allowed();
    const { ledger } = live;
    requireWritable(writes, (address) => ledger.accounts.get(address));
    const written = new Map(writes.map(({ address, account }) => [address, account]));
    this.#requireFeeds((address) =>
      written.has(address) ? written.get(address) : ledger.accounts.get(address),
    );
    const entries = writes.map(({ address, account }): AccountEntry => [address, account]);
    const { slot } = ledger.blocks.open;
    this.#writeAll(entries);
    emit({ kind: 'accounts', slot, changes: writes.map((write) => ({ ...write, slot })) });
    return slot;
  }

  async saveSnapshot(name: string): Promise<void> {
    const { live, advance, snapshots } = this.#allowed();
    this.#takeOffPause();
    const { slot } = live.ledger.blocks.open;
    const captured: NetworkState[] = [];
    const confirmed = advance(0n, () => captured.push(live.ledger.accountsState()));
    await Promise.all([confirmed, ...captured.map((state) => snapshots.save(name, slot, state))]);
  }

  async restoreSnapshot(name: string): Promise<void> {
    const { live, advance, snapshots } = this.#allowed();
    const state = snapshots.load(name);
    this.#requireFeedsOf(state);
    const ahead = state.chain.open.slot - live.ledger.blocks.open.slot;
    this.#takeOffPause();
    // A snapshot of another network may be ahead, and accounts must not name slots that are still to come.
    const caughtUp = ahead > 0n ? advance(ahead - 1n, ignore) : Promise.resolve();
    await Promise.all([caughtUp, this.#become(state)]);
  }

  async exportSnapshot(name: string): Promise<Uint8Array> {
    const { snapshots } = this.#allowed();
    const found = snapshots.list().find((snapshot) => snapshot.name === name);
    return packSnapshot(found?.slot ?? 0n, snapshots.load(name));
  }

  async importSnapshot(name: string, packed: Uint8Array): Promise<void> {
    const { live, snapshots } = this.#allowed();
    const { genesisSeed, blocks } = live.ledger;
    const { slot, state } = await unpackSnapshot(packed, { genesisSeed, openSlot: blocks.open.slot });
    this.#requireFeedsOf(state);
    await snapshots.save(name, slot, state);
  }

  async reset(genesis: readonly AddressedAccount[]): Promise<void> {
    const { overlay } = this.#allowed();
    const accounts = [...genesis, ...overlay].map(({ address, account }): AccountEntry => [address, account]);
    this.setFaults(NO_FAULTS);
    this.clearNextFaults();
    this.#takeOffPause();
    await this.#become({ accounts, clockOffset: 0n });
  }

  /** Writes this state in the open slot. Resolves once that is durable. */
  async #become({ accounts, clockOffset }: Pick<NetworkState, 'accounts' | 'clockOffset'>): Promise<void> {
    const { live, advance, restored, emit, unixSeconds } = this.#options;
    const { ledger } = live;
    const entries = ledger.differenceTo(accounts);
    const { slot } = ledger.blocks.open;
    this.#writeAll(entries);
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
    const reason = findFaultPlanProblem(faults);
    if (reason !== null) throw new AdminRefused(reason);
    live.faults = new FaultPlan(faults);
    live.ledger.priorityFees.setFloor(faults.congestion);
  }

  faults(): Faults {
    return this.#allowed().live.faults.faults;
  }

  faultNext(fault: NextFault): void {
    const { live } = this.#allowed();
    const reason = findNextFaultProblem(fault) ?? live.nextFaults.add(fault);
    if (reason !== null) throw new AdminRefused(reason);
  }

  nextFaults() {
    const { waiting, struck } = this.#allowed().live.nextFaults;
    return { waiting, struck };
  }

  clearNextFaults(): void {
    this.#allowed().live.nextFaults.clear();
  }

  prices(): readonly NetworkPrice[] {
    const { live, prices } = this.#allowed();
    return prices.prices(live.ledger);
  }

  setPrice(symbol: string, price: string): NetworkPrice {
    const { live, prices, include } = this.#allowed();
    include(prices.set(live.ledger, live.open.length, symbol, price));
    return this.#price(symbol);
  }

  walkPrice(symbol: string, terms: WalkTerms | null): NetworkPrice {
    const { live, prices, include } = this.#allowed();
    include(prices.walk(live.ledger, live.open.length, symbol, terms));
    return this.#price(symbol);
  }

  /** Moves the clock, and ends the open slot and `slots - 1` empty ones after it. Resolves when they are durable. */
  #skip(slots: number, seconds: number): Promise<unknown> {
    const { live, advance } = this.#options;
    this.#takeOffPause();
    live.ledger.clockOffset += BigInt(seconds) * 1000n;
    // The last block is produced instead of skipped, so that there is a usable blockhash.
    const ended =
      slots > 1 ? [advance(BigInt(slots - 2), ignore), advance(0n, ignore)] : [advance(0n, ignore)];
    return Promise.all(ended);
  }

  #requireFeedsOf({ accounts }: NetworkState): void {
    const held = new Map(accounts);
    this.#requireFeeds((address) => held.get(address));
  }

  /** @throws AdminRefused when the network could not keep its prices current in these accounts. */
  #requireFeeds(accountAt: (address: Address) => Account | null | undefined): void {
    const reason = this.#options.prices.invalidIn(accountAt);
    if (reason !== null) throw new AdminRefused(`nothing was written: ${reason}`);
  }

  /**
   * Writes all accounts, or none.
   *
   * @throws AdminRefused when LiteSVM refuses one.
   */
  #writeAll(entries: readonly AccountEntry[]): void {
    const { ledger } = this.#options.live;
    const before = entries.map(([address]): AccountEntry => [address, ledger.accounts.get(address)]);
    try {
      ledger.write(entries);
    } catch (error) {
      ledger.write(before);
      throw new AdminRefused(
        `nothing was written: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  /** Subtracts the length of the pause until now from the clock, so that it continues where it stopped. */
  #takeOffPause(): void {
    if (this.#pausedAt === null) return;
    const { live, now } = this.#options;
    const at = now();
    live.ledger.clockOffset -= BigInt(Math.floor(at - this.#pausedAt));
    this.#pausedAt = at;
  }

  #price(symbol: string): NetworkPrice {
    const found = this.prices().find((each) => each.symbol.toLowerCase() === symbol.toLowerCase());
    if (found === undefined) throw new AdminRefused(`the network has no price feed for ${symbol}`);
    return found;
  }

  #allowed(): AdminOptions {
    if (!this.#options.production) return this.#options;
    throw new AdminRefused(
      'this network runs with production: its clock, accounts and faults cannot be touched',
    );
  }
}

function ignore(): void {}
