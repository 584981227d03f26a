import type { Address } from '../../../solana/address.ts';
import type { Account } from '../../accounts.ts';
import type { AccountEntry } from '../records/account-codec.ts';
import { type AccountWrite, NetworkRefused, type RpcControls, type TravelTarget } from '../ledger/bank.ts';
import { type Faults, FaultPlan, findFaultPlanProblem, NO_FAULTS } from '../blocks/faults.ts';
import { findNextFaultProblem, type NextFault, type StruckFault } from '../blocks/next-faults.ts';
import type { NamedSnapshots } from '../storage/named-snapshots.ts';
import { packSnapshot, unpackSnapshot } from '../storage/portable-snapshot.ts';
import type { AddressedAccount, BankEvent } from '../../records/records.ts';
import type { NetworkState } from '../blocks/snapshot-codec.ts';
import type { NetworkPrice, WalkTerms } from '../ledger/network-prices.ts';
import type { PriceProcess } from '../prices/price-process.ts';
import type { ProcessedTransaction } from '../runtime/process-transaction.ts';
import type { LiveState } from '../slots/live-state.ts';
import { computeTravelDistance, requireWarpRange, requireWritable } from './admin-arguments.ts';

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

/**
 * The controls of the network, for tests. Each of its methods can also be called from the main thread, by the same name on
 * `EmbeddedChain`, where it returns a promise. Each throws `NetworkRefused` when the bank was opened with `production: true`.
 */
export class BankAdmin implements RpcControls {
  readonly #options: AdminOptions;
  /** When the clock was paused, or when the pause was last subtracted from it. Null while it runs. */
  #pausedAt: number | null = null;

  constructor(options: AdminOptions) {
    this.#options = options;
  }

  /** Advances by `slots` empty blocks, which count for blockhash expiry, and by `seconds`. Resolves once durable. */
  async warp(by: {
    readonly slots?: number;
    readonly seconds?: number;
  }): Promise<{ slot: bigint; unixTimestamp: bigint }> {
    const { live, slotMs } = this.#allowed();
    const { slots = 0, seconds = Math.floor((slots * slotMs) / 1000) } = by;
    requireWarpRange({ slots, seconds });
    const ended = this.#skip(slots, seconds);
    const { slot, time } = live.ledger.blocks.open;
    await ended;
    return { slot, unixTimestamp: time };
  }

  /**
   * Moves slots and time forward together, to a slot or a time in Unix seconds after those of the open slot. It returns at
   * once; the skipped slots are durable when the new open slot is confirmed.
   */
  travel(to: TravelTarget): void {
    const { live, slotMs } = this.#allowed();
    const { slots, seconds } = computeTravelDistance(to, live.ledger.blocks.open, slotMs);
    // A disk that refuses the slots is reported by `unhealthy`.
    this.#skip(slots, seconds).catch(ignore);
  }

  /** Whether no slots end until `resumeClock`. Not stored: the clock runs again after a restart. */
  get isClockPaused(): boolean {
    return this.#pausedAt !== null;
  }

  pauseClock(): void {
    this.#pausedAt ??= this.#allowed().now();
  }

  /** Lets slots end again. The clock continues where it stopped, and so stays behind by the length of the pause. */
  resumeClock(): void {
    this.#allowed();
    this.#takeOffPause();
    this.#pausedAt = null;
  }

  /** Writes accounts in the open slot, visible at `processed`; null deletes one. Returns the slot. */
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

  /** Ends the open slot, and saves all accounts and the clock's offset. */
  async saveSnapshot(name: string): Promise<void> {
    const { live, advance, snapshots } = this.#allowed();
    this.#takeOffPause();
    const { slot } = live.ledger.blocks.open;
    const captured: NetworkState[] = [];
    const confirmed = advance(0n, () => captured.push(live.ledger.accountsState()));
    await Promise.all([confirmed, ...captured.map((state) => snapshots.save(name, slot, state))]);
  }

  /**
   * Restores all accounts and the clock's offset. Slots, blockhashes and history continue, so that subscribers see
   * it as one more slot. Resolves once durable.
   */
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

  /** Returns a named snapshot as bytes that another instance with the same seed can import. */
  async exportSnapshot(name: string): Promise<Uint8Array> {
    const { snapshots } = this.#allowed();
    const found = snapshots.list().find((snapshot) => snapshot.name === name);
    return packSnapshot(found?.slot ?? 0n, snapshots.load(name));
  }

  /** Checks an exported snapshot, and saves it under a name. Nothing of the network changes until it is restored. */
  async importSnapshot(name: string, packed: Uint8Array): Promise<void> {
    const { live, snapshots } = this.#allowed();
    const { genesisSeed, blocks } = live.ledger;
    const { slot, state } = await unpackSnapshot(packed, { genesisSeed, openSlot: blocks.open.slot });
    this.#requireFeedsOf(state);
    await snapshots.save(name, slot, state);
  }

  /**
   * Restores the accounts and the clock of a network that begins now with these accounts, as `restoreSnapshot` does, and
   * switches off all faults. Named snapshots are kept.
   */
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

  snapshots(): readonly { readonly name: string; readonly slot: bigint }[] {
    return this.#allowed().snapshots.list();
  }

  setFaults(faults: Faults): void {
    const { live } = this.#allowed();
    const reason = findFaultPlanProblem(faults);
    if (reason !== null) throw new NetworkRefused('request', reason);
    live.faults = new FaultPlan(faults);
    live.ledger.priorityFees.setFloor(faults.congestion);
  }

  faults(): Faults {
    return this.#allowed().live.faults.faults;
  }

  /** Adds a fault that is injected into the next transactions that match. */
  faultNext(fault: NextFault): void {
    const { live } = this.#allowed();
    const reason = findNextFaultProblem(fault) ?? live.nextFaults.add(fault);
    if (reason !== null) throw new NetworkRefused('request', reason);
  }

  /** Returns the faults that are still to be injected, and the latest transactions that received one. */
  nextFaults(): { readonly waiting: readonly NextFault[]; readonly struck: readonly StruckFault[] } {
    const { waiting, struck } = this.#allowed().live.nextFaults;
    return { waiting, struck };
  }

  clearNextFaults(): void {
    this.#allowed().live.nextFaults.clear();
  }

  /** Returns the prices of the feeds that the network keeps current. */
  prices(): readonly NetworkPrice[] {
    const { live, prices } = this.#allowed();
    return prices.prices(live.ledger);
  }

  /** Fixes a price from the open slot on. `price` is a decimal in US dollars. Tokens that follow it move along. */
  setPrice(symbol: string, price: string): NetworkPrice {
    const { live, prices, include } = this.#allowed();
    include(prices.set(live.ledger, live.open.length, symbol, price));
    return this.#price(symbol);
  }

  /** Lets a price move at random from its current value. Null stops it there. */
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

  /** @throws NetworkRefused when the network could not keep its prices current in these accounts. */
  #requireFeeds(accountAt: (address: Address) => Account | null | undefined): void {
    const reason = this.#options.prices.invalidIn(accountAt);
    if (reason !== null) throw new NetworkRefused('request', `nothing was written: ${reason}`);
  }

  /**
   * Writes all accounts, or none.
   *
   * @throws NetworkRefused when LiteSVM refuses one.
   */
  #writeAll(entries: readonly AccountEntry[]): void {
    const { ledger } = this.#options.live;
    const before = entries.map(([address]): AccountEntry => [address, ledger.accounts.get(address)]);
    try {
      ledger.write(entries);
    } catch (error) {
      ledger.write(before);
      throw new NetworkRefused(
        'request',
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
    if (found === undefined)
      throw new NetworkRefused('request', `the network has no price feed for ${symbol}`);
    return found;
  }

  #allowed(): AdminOptions {
    if (!this.#options.production) return this.#options;
    throw new NetworkRefused(
      'request',
      'this network runs with production: its clock, accounts and faults cannot be touched',
    );
  }
}

function ignore(): void {}
