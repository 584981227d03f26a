import type { Address } from '../../../solana/address.ts';
import { type Timers, wait } from '../../../common/ports/timers.ts';
import type { AccountFilter, AccountUpdate, AddressField } from '../../accounts.ts';
import { ChainUnavailable, type Commitment } from '../../chain.ts';
import { AccountBook, type OnAccountChange, type WatchedAccount } from './account-book.ts';
import { computeBackoffMs, varyRandomly } from '../client/backoff.ts';
import { ProgramWatch } from './program-watch.ts';
import type { PubSub } from '../client/pubsub.ts';
import { splitIntoChunks, readAccounts, readProgram } from './account-reads.ts';
import { AccountSubscriptions } from './account-subscriptions.ts';
import { type CallPolicy, READ, type RpcClient } from '../client/rpc-client.ts';

export interface AccountFeedOptions {
  readonly client: RpcClient;
  readonly pubsub: Pick<PubSub, 'subscribe'>;
  readonly timers: Timers;
  readonly random: () => number;
  /** The interval at which accounts without a subscription are read. */
  readonly pollMs: number;
  /** The interval at which all accounts are read, in case subscriptions fail silently. */
  readonly sweepMs: number;
  /** Returns the newest known processed slot. */
  readonly slot: () => bigint;
  /** Throws `OperatorError` for a slot that the network cannot have reached. */
  readonly requirePlausible: (slot: bigint) => void;
}

/** The maximum number of concurrent reads for watches, so that capacity is left for requests. */
const MAX_READS = 4;
/** The delay before a round of reads that was triggered, so that one round serves several triggers. */
const WAKE_MS = 20;
/** How long a scan waits for its subscription to become active. */
const SUBSCRIBE_MS = 5_000;
const SUBSCRIBE_CHECK_MS = 20;

/**
 * Keeps watched accounts current. It subscribes to them, reads each once when its subscription is active, polls those
 * without a subscription, and reads all of them from time to time.
 */
export class AccountFeed {
  readonly #options: AccountFeedOptions;
  readonly #book = new AccountBook();
  readonly #subscriptions: AccountSubscriptions;
  readonly #programs = new Map<string, { readonly watch: ProgramWatch; readonly stop: () => void }>();
  readonly #scans = new Map<ProgramWatch, Promise<AccountUpdate[]>>();
  #requiredReads = 0;
  #sweepAt: number;
  /** When the last round of reads began in which every read succeeded. */
  #currentAt: number;
  #cancelRound: () => void = () => {};
  #isReading = false;
  #isWoken = false;
  #closed = false;

  constructor(options: AccountFeedOptions) {
    this.#options = options;
    this.#subscriptions = new AccountSubscriptions({
      pubsub: options.pubsub,
      requirePlausible: options.requirePlausible,
      onActive: (watched) => this.#requireRead([watched]),
      onNotification: (update) => this.#book.applyNotification(update),
    });
    this.#currentAt = options.timers.now();
    this.#sweepAt = this.#currentAt + varyRandomly(options.sweepMs, options.random);
    this.#schedule(options.pollMs);
  }

  /** The time, in Unix milliseconds, as of which every watched account was read or has an active subscription. */
  get currentAt(): number {
    return this.#currentAt;
  }

  isWatched(address: Address): boolean {
    return this.#book.get(address) !== undefined;
  }

  watchAccounts(addresses: readonly Address[], onChange: OnAccountChange): () => void {
    const unique = [...new Set(addresses)];
    // Wrapped, so that a function that is passed twice counts as two listeners.
    const listener: OnAccountChange = (updates) => onChange(updates);
    for (const address of unique) {
      this.#subscriptions.add(this.#book.watch(address, listener));
    }
    let stopped = false;
    return () => {
      if (stopped) return;
      stopped = true;
      for (const address of unique) {
        this.#subscriptions.remove(address);
        this.#book.unwatch(address, listener);
      }
    };
  }

  watchProgram(program: Address, onChange: OnAccountChange, filter: AccountFilter): () => void {
    const key = programKey(program, filter);
    let entry = this.#programs.get(key);
    if (entry === undefined) {
      const watch = new ProgramWatch(
        this.#book,
        program,
        filter,
        (members) => this.#requireRead(members),
        this.#options.requirePlausible,
      );
      entry = { watch, stop: this.#options.pubsub.subscribe(watch) };
      this.#programs.set(key, entry);
    }
    const { watch, stop } = entry;
    const listener: OnAccountChange = (updates) => onChange(updates);
    watch.listeners.add(listener);
    return () => {
      if (!watch.listeners.delete(listener) || watch.listeners.size > 0) return;
      this.#programs.delete(key);
      stop();
      watch.close();
    };
  }

  /**
   * Returns the accounts of a program whose field may hold one of the addresses. Null if no watch knows all accounts of
   * that length, so that it takes a search.
   */
  candidates(program: Address, field: AddressField, addresses: readonly Address[]): Address[] | null {
    for (const { watch } of this.#programs.values()) {
      if (watch.program === program && watch.knowsAllOf(field)) return watch.candidates(field, addresses);
    }
    return null;
  }

  /** Reads accounts in the given order. At `processed`, watched accounts have their newest known state. */
  async getAccounts(
    addresses: readonly Address[],
    commitment: Commitment,
    policy: CallPolicy = READ,
  ): Promise<AccountUpdate[]> {
    const chunks = splitIntoChunks(addresses);
    const read = (await Promise.all(chunks.map((chunk) => this.#read(chunk, commitment, 0n, policy)))).flat();
    // States may have become known or been rolled back while other chunks were read.
    return commitment === 'processed' ? read.map((update) => this.#book.newest(update)) : read;
  }

  /** Called when slots after `slot` turned out not to exist. Their states give way, and all accounts are read again. */
  rollBack(slot: bigint): void {
    this.#book.rollBack(slot);
    this.#requireRead(this.#book.all(), slot);
  }

  async getProgramAccounts(
    program: Address,
    commitment: Commitment,
    filter: AccountFilter,
  ): Promise<AccountUpdate[]> {
    const watch = this.#programs.get(programKey(program, filter))?.watch;
    if (watch === undefined || commitment !== 'processed') {
      return readProgram(this.#options.client, program, commitment, filter, this.#options.requirePlausible);
    }
    await this.#waitForSubscription(watch);
    return this.#scan(watch);
  }

  close(): void {
    this.#closed = true;
    this.#cancelRound();
  }

  /** Marks accounts for reading, because changes before a subscription became active were not notified. */
  #requireRead(accounts: Iterable<WatchedAccount>, slot = this.#options.slot()): void {
    const requiredRead = { number: ++this.#requiredReads, slot };
    for (const watched of accounts) watched.requiredRead = requiredRead;
    this.#wake();
  }

  async #read(
    addresses: readonly Address[],
    commitment: Commitment,
    minSlot: bigint,
    policy: CallPolicy = READ,
  ): Promise<AccountUpdate[]> {
    const before = this.#requiredReads;
    const { client, requirePlausible } = this.#options;
    const updates = await readAccounts(client, addresses, commitment, minSlot, requirePlausible, policy);
    if (commitment !== 'processed') return updates;
    return updates.map((update) => {
      this.#settle(update, before);
      return this.#book.applyRead(update);
    });
  }

  /** Clears the mark of an account that was read, unless it was set after the read began. */
  #settle({ address, slot }: AccountUpdate, before: number): void {
    const watched = this.#book.get(address);
    if (watched?.requiredRead == null) return;
    if (watched.requiredRead.number <= before && watched.requiredRead.slot <= slot)
      watched.requiredRead = null;
  }

  /** Scans a program. Calls during a running scan share its result. */
  #scan(watch: ProgramWatch): Promise<AccountUpdate[]> {
    const running = this.#scans.get(watch);
    if (running !== undefined) return running;
    const before = this.#requiredReads;
    watch.needsScan = false;
    const { client, requirePlausible } = this.#options;
    const scan = readProgram(client, watch.program, 'processed', watch.filter, requirePlausible)
      .then((found) => {
        watch.failedScans = 0;
        const newest = watch.scanned(found);
        for (const update of found) this.#settle(update, before);
        return newest;
      })
      .catch((error: unknown) => {
        watch.needsScan = true;
        throw error;
      })
      .finally(() => this.#scans.delete(watch));
    this.#scans.set(watch, scan);
    return scan;
  }

  /** Waits until the subscription is active. An earlier scan would miss changes between the two. */
  async #waitForSubscription(watch: ProgramWatch): Promise<void> {
    const { timers } = this.#options;
    const until = timers.now() + SUBSCRIBE_MS;
    while (!watch.isUp && timers.now() < until && !this.#closed) {
      await wait(SUBSCRIBE_CHECK_MS, timers);
    }
  }

  #wake(): void {
    if (this.#isReading) this.#isWoken = true;
    else this.#schedule(WAKE_MS);
  }

  #schedule(ms: number): void {
    this.#cancelRound();
    if (!this.#closed) this.#cancelRound = this.#options.timers.after(ms, () => void this.#round());
  }

  async #round(): Promise<void> {
    const { timers, random, pollMs, sweepMs } = this.#options;
    const began = timers.now();
    const isSweep = began >= this.#sweepAt;
    this.#isReading = true;
    this.#isWoken = false;
    this.#scanWhereNeeded();
    const due = [...this.#book.all()].filter((watched) => isSweep || !isCurrent(watched));
    const isComplete = await this.#readAll(due);
    this.#isReading = false;
    if (isComplete) this.#currentAt = began;
    if (isComplete && isSweep) this.#sweepAt = began + varyRandomly(sweepMs, random);
    this.#schedule(this.#isWoken ? WAKE_MS : varyRandomly(pollMs, random));
  }

  #scanWhereNeeded(): void {
    for (const { watch } of this.#programs.values()) {
      const { timers, random } = this.#options;
      if (!watch.needsScan || !watch.isUp || timers.now() < watch.scanAt) continue;
      this.#scan(watch).catch(() => {
        watch.scanAt = timers.now() + computeBackoffMs(watch.failedScans++, random);
      });
    }
  }

  /** Reads accounts, and returns whether every read succeeded. */
  async #readAll(due: readonly WatchedAccount[]): Promise<boolean> {
    const chunks = splitIntoChunks(due);
    let isComplete = true;
    const work = async () => {
      for (let chunk = chunks.shift(); chunk !== undefined && !this.#closed; chunk = chunks.shift()) {
        const minSlot = chunk.reduce(
          (most, { requiredRead }) =>
            requiredRead !== null && requiredRead.slot > most ? requiredRead.slot : most,
          0n,
        );
        try {
          await this.#read(
            chunk.map(({ address }) => address),
            'processed',
            minSlot,
          );
        } catch (error) {
          if (!(error instanceof ChainUnavailable)) throw error;
          isComplete = false;
        }
      }
    };
    await Promise.all(Array.from({ length: MAX_READS }, work));
    return isComplete;
  }
}

function isCurrent({ activeSubscriptions: followedBy, requiredRead }: WatchedAccount): boolean {
  return followedBy > 0 && requiredRead === null;
}

function programKey(program: Address, { dataSize, memcmp: holds }: AccountFilter): string {
  return `${program} ${dataSize} ${holds?.offset} ${holds === undefined ? '' : Buffer.from(holds.bytes).toString('hex')}`;
}
