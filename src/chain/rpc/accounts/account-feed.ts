import type { Address } from '../../../solana/address.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { type AccountFilter, type AccountUpdate, ChainUnavailable, type Commitment } from '../../chain.ts';
import { AccountBook, type OnChange, type Watched } from './account-book.ts';
import { backoffMs, jittered } from '../client/backoff.ts';
import { ProgramWatch } from './program-watch.ts';
import type { PubSub } from '../client/pubsub.ts';
import { chunksOf, readAccounts, readProgram } from './account-reads.ts';
import { accountConfig, readAccount } from './read-accounts.ts';
import { asInContext } from '../client/read-json.ts';
import type { RpcClient } from '../client/rpc-client.ts';

export interface AccountFeedOptions {
  readonly client: RpcClient;
  readonly pubsub: Pick<PubSub, 'follow'>;
  readonly timers: Timers;
  readonly random: () => number;
  /** How often accounts are read that no subscription tells of. */
  readonly pollMs: number;
  /** How often all are read, in case subscriptions go silent. */
  readonly sweepMs: number;
  /** The newest processed slot that was heard of. */
  readonly slot: () => bigint;
  /** Throws `OperatorError` for a slot that is further ahead than can be. */
  readonly requirePossible: (slot: bigint) => void;
}

/** Reads under way at once for the sake of watches, so that they leave room for requests. */
const READS = 4;
/** A round that something calls for begins this much later, so that one round serves all that comes together. */
const WAKE_MS = 20;
/** How long a scan waits for the subscription that is to come before it. */
const ACTIVE_MS = 5_000;
const ACTIVE_CHECK_MS = 20;

/**
 * Keeps watched accounts current: by subscriptions, by reading them once each subscription is up, by reading those that
 * none tells of again and again, and by reading all of them now and then.
 */
export class AccountFeed {
  readonly #options: AccountFeedOptions;
  readonly #book = new AccountBook();
  readonly #subscriptions = new Map<Address, { count: number; readonly stop: () => void }>();
  readonly #programs = new Map<string, { readonly watch: ProgramWatch; readonly stop: () => void }>();
  readonly #scans = new Map<ProgramWatch, Promise<AccountUpdate[]>>();
  #doubts = 0;
  #sweepAt: number;
  /** When the last round began that read everything that it was to read. */
  #currentAt: number;
  #cancelRound: () => void = () => {};
  #isReading = false;
  #isWoken = false;
  #closed = false;

  constructor(options: AccountFeedOptions) {
    this.#options = options;
    this.#currentAt = options.timers.now();
    this.#sweepAt = this.#currentAt + jittered(options.sweepMs, options.random);
    this.#schedule(options.pollMs);
  }

  /** Unix milliseconds as of which every watched account is current, or told of by a subscription. */
  get currentAt(): number {
    return this.#currentAt;
  }

  isWatched(address: Address): boolean {
    return this.#book.get(address) !== undefined;
  }

  watchAccounts(addresses: readonly Address[], onChange: OnChange): () => void {
    const unique = [...new Set(addresses)];
    // A function of its own, so that one that is passed in twice counts twice.
    const listener: OnChange = (updates) => onChange(updates);
    for (const address of unique) {
      const watched = this.#book.watch(address, listener);
      const subscription = this.#subscriptions.get(address);
      if (subscription !== undefined) subscription.count++;
      else this.#subscriptions.set(address, { count: 1, stop: this.#subscribe(watched) });
    }
    let stopped = false;
    return () => {
      if (stopped) return;
      stopped = true;
      for (const address of unique) {
        this.#unsubscribe(address);
        this.#book.unwatch(address, listener);
      }
    };
  }

  watchProgram(program: Address, onChange: OnChange, filter: AccountFilter): () => void {
    const key = programKey(program, filter);
    let entry = this.#programs.get(key);
    if (entry === undefined) {
      const watch = new ProgramWatch(
        this.#book,
        program,
        filter,
        (members) => this.#doubt(members),
        this.#options.requirePossible,
      );
      entry = { watch, stop: this.#options.pubsub.follow(watch) };
      this.#programs.set(key, entry);
    }
    const { watch, stop } = entry;
    const listener: OnChange = (updates) => onChange(updates);
    watch.listeners.add(listener);
    return () => {
      if (!watch.listeners.delete(listener) || watch.listeners.size > 0) return;
      this.#programs.delete(key);
      stop();
      watch.close();
    };
  }

  /** In the order asked. What is watched comes in the newest state that is known. */
  async getAccounts(addresses: readonly Address[], commitment: Commitment): Promise<AccountUpdate[]> {
    const chunks = chunksOf(addresses);
    const read = (await Promise.all(chunks.map((chunk) => this.#read(chunk, commitment, 0n)))).flat();
    // Something may have become known while other chunks were waited for, or been taken back.
    return commitment === 'processed' ? read.map((update) => this.#book.newest(update)) : read;
  }

  /** Slots beyond `slot` were told, and are not so: whatever is of them gives way to anything, and all is read again. */
  takeBack(slot: bigint): void {
    this.#book.takeBack(slot);
    this.#doubt(this.#book.all(), slot);
  }

  async getProgramAccounts(
    program: Address,
    commitment: Commitment,
    filter: AccountFilter,
  ): Promise<AccountUpdate[]> {
    const watch = this.#programs.get(programKey(program, filter))?.watch;
    if (watch === undefined || commitment !== 'processed') {
      return readProgram(this.#options.client, program, commitment, filter, this.#options.requirePossible);
    }
    await this.#waitForSubscription(watch);
    return this.#scan(watch);
  }

  close(): void {
    this.#closed = true;
    this.#cancelRound();
  }

  #subscribe(watched: Watched): () => void {
    const { address } = watched;
    let isUp = false;
    const onLost = () => {
      if (isUp) watched.followedBy--;
      isUp = false;
    };
    const stop = this.#options.pubsub.follow({
      kind: 'account',
      params: [address, accountConfig('processed')],
      onActive: () => {
        isUp = true;
        watched.followedBy++;
        this.#doubt([watched]);
      },
      onTold: (result) => {
        const { slot, value } = asInContext(result);
        this.#options.requirePossible(slot);
        this.#book.told({ address, slot, account: readAccount(value, 'result.value') });
      },
      onLost,
    });
    return () => {
      stop();
      onLost();
    };
  }

  #unsubscribe(address: Address): void {
    const subscription = this.#subscriptions.get(address);
    if (subscription === undefined || --subscription.count > 0) return;
    this.#subscriptions.delete(address);
    subscription.stop();
  }

  /** What happened before a subscription was up was not told: it has to be read. */
  #doubt(accounts: Iterable<Watched>, slot = this.#options.slot()): void {
    const doubt = { number: ++this.#doubts, slot };
    for (const watched of accounts) watched.doubt = doubt;
    this.#wake();
  }

  async #read(
    addresses: readonly Address[],
    commitment: Commitment,
    minSlot: bigint,
  ): Promise<AccountUpdate[]> {
    const doubts = this.#doubts;
    const { client, requirePossible } = this.#options;
    const updates = await readAccounts(client, addresses, commitment, minSlot, requirePossible);
    if (commitment !== 'processed') return updates;
    return updates.map((update) => {
      this.#settle(update, doubts);
      return this.#book.read(update);
    });
  }

  /** A doubt that arose while the account was being read stays. */
  #settle({ address, slot }: AccountUpdate, doubts: number): void {
    const watched = this.#book.get(address);
    if (watched?.doubt == null) return;
    if (watched.doubt.number <= doubts && watched.doubt.slot <= slot) watched.doubt = null;
  }

  /** One at a time for each program: whoever asks while one is under way gets its result. */
  #scan(watch: ProgramWatch): Promise<AccountUpdate[]> {
    const running = this.#scans.get(watch);
    if (running !== undefined) return running;
    const doubts = this.#doubts;
    watch.needsScan = false;
    const { client, requirePossible } = this.#options;
    const scan = readProgram(client, watch.program, 'processed', watch.filter, requirePossible)
      .then((found) => {
        watch.failedScans = 0;
        const newest = watch.scanned(found);
        for (const update of found) this.#settle(update, doubts);
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

  /** A scan before the subscription is up would miss what happens between the two. */
  async #waitForSubscription(watch: ProgramWatch): Promise<void> {
    const { timers } = this.#options;
    const until = timers.now() + ACTIVE_MS;
    while (!watch.isUp && timers.now() < until && !this.#closed) {
      await new Promise<void>((resolve) => timers.after(ACTIVE_CHECK_MS, resolve));
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
    if (isComplete && isSweep) this.#sweepAt = began + jittered(sweepMs, random);
    this.#schedule(this.#isWoken ? WAKE_MS : jittered(pollMs, random));
  }

  #scanWhereNeeded(): void {
    for (const { watch } of this.#programs.values()) {
      const { timers, random } = this.#options;
      if (!watch.needsScan || !watch.isUp || timers.now() < watch.scanAt) continue;
      this.#scan(watch).catch(() => {
        watch.scanAt = timers.now() + backoffMs(watch.failedScans++, random);
      });
    }
  }

  /** Whether every read succeeded. */
  async #readAll(due: readonly Watched[]): Promise<boolean> {
    const chunks = chunksOf(due);
    let isComplete = true;
    const work = async () => {
      for (let chunk = chunks.shift(); chunk !== undefined && !this.#closed; chunk = chunks.shift()) {
        const minSlot = chunk.reduce(
          (most, { doubt }) => (doubt !== null && doubt.slot > most ? doubt.slot : most),
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
    await Promise.all(Array.from({ length: READS }, work));
    return isComplete;
  }
}

function isCurrent({ followedBy, doubt }: Watched): boolean {
  return followedBy > 0 && doubt === null;
}

function programKey(program: Address, { dataSize, holds }: AccountFilter): string {
  return `${program} ${dataSize} ${holds?.offset} ${holds === undefined ? '' : Buffer.from(holds.bytes).toString('hex')}`;
}
