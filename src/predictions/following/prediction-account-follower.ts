import type { AccountUpdate } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import { describeOutageReason, type OutageLog } from '../../common/outage-log.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { createRepeatedWork, type RepeatedWork } from '../../common/work/repeated-work.ts';
import { PREDICTION_PROGRAM } from '../../protocols/jupiter-prediction/prediction-program.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import type {
  ChangedPredictionAccounts,
  OpenPredictionOrder,
  OpenPredictionPosition,
  PostedPredictionResult,
  PredictionAccounts,
  PredictionPositionSums,
} from '../prediction.ts';
import { PredictionAccountIndex } from './prediction-account-index.ts';
import { type FollowedPredictionAccount, readPredictionAccount } from './read-prediction-account.ts';

export interface PredictionAccountOptions {
  readonly chain: Pick<Chain, 'watchProgram' | 'getProgramAccounts' | 'slot'>;
  readonly timers: Pick<Timers, 'after'>;
  /** Called when the accounts could not be read, and when they are again. */
  readonly outage: OutageLog;
  /** Called with an account that cannot be decoded. It is treated as if it did not exist. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** How often it tries again to read all accounts until it has succeeded once. */
const READ_EVERY_MS = 1_000;

/** How an account was at a slot. One that is gone is remembered, because an older update of it may come later. */
interface SeenAccount {
  readonly slot: bigint;
  readonly isGone: boolean;
}

/** How many slots an account that is gone is remembered. No update comes that much later. */
const REMEMBERED_SLOTS = 600n;

/**
 * The orders, positions and results of the program of prediction markets, kept current by a watch. Updates may come out of
 * order: what is known of a later slot stays.
 */
export class PredictionAccountFollower implements PredictionAccounts {
  readonly #options: PredictionAccountOptions;
  readonly #index = new PredictionAccountIndex();
  readonly #seen = new Map<Address, SeenAccount>();
  readonly #listeners = new Set<(changed: ChangedPredictionAccounts) => void>();
  readonly #reading: RepeatedWork;
  #stopWatch: () => void = () => undefined;
  #failure: string | null = 'the accounts of prediction markets could not be read yet';
  #forgetAt = 0n;

  private constructor(options: PredictionAccountOptions) {
    this.#options = options;
    this.#reading = createRepeatedWork({
      everyMs: READ_EVERY_MS,
      work: () => this.#readAll(),
      timers: options.timers,
      onError: (error) => this.#noteFailure(error),
    });
  }

  /**
   * Reads every account that exists now, and follows them until `close` is called. If the network does not answer, it opens with
   * what the watch tells, and reads them later.
   */
  static async open(options: PredictionAccountOptions): Promise<PredictionAccountFollower> {
    const follower = new PredictionAccountFollower(options);
    // The watch starts first, so that a change during the read is seen twice rather than missed.
    follower.#stopWatch = options.chain.watchProgram(PREDICTION_PROGRAM, (updates) =>
      follower.#apply(updates),
    );
    await follower.#readAll().catch((error: unknown) => follower.#noteFailure(error));
    follower.#reading.start();
    return follower;
  }

  readonly findOrder = (address: Address): OpenPredictionOrder | null => this.#index.findOrder(address);
  readonly findPosition = (address: Address): OpenPredictionPosition | null =>
    this.#index.findPosition(address);
  readonly findResult = (marketIdHash: string): PostedPredictionResult | null =>
    this.#index.findResult(marketIdHash);
  readonly ordersOf = (owner: Address): readonly OpenPredictionOrder[] => this.#index.ordersOf(owner);
  readonly positionsOf = (owner: Address): readonly OpenPredictionPosition[] =>
    this.#index.positionsOf(owner);
  readonly openOrders = (): Iterable<OpenPredictionOrder> => this.#index.listOrders();
  readonly positionsIn = (marketIdHash: string): readonly OpenPredictionPosition[] =>
    this.#index.positionsIn(marketIdHash);
  readonly sumOf = (marketIdHash: string): PredictionPositionSums => this.#index.sumOf(marketIdHash);

  readonly onChange = (listener: (changed: ChangedPredictionAccounts) => void): (() => void) => {
    const added = (changed: ChangedPredictionAccounts) => listener(changed);
    this.#listeners.add(added);
    return () => this.#listeners.delete(added);
  };

  /** Returns why accounts may be unknown, for the operator; null if all were read. */
  unhealthy(): string | null {
    return this.#failure;
  }

  async close(): Promise<void> {
    this.#stopWatch();
    await this.#reading.stop();
  }

  /** The watch keeps everything current once it was read. */
  async #readAll(): Promise<void> {
    if (this.#failure === null) return;
    this.#apply(await this.#options.chain.getProgramAccounts(PREDICTION_PROGRAM, 'processed'));
    this.#failure = null;
    this.#options.outage.onAnswer();
  }

  #noteFailure(error: unknown): void {
    this.#failure = `the accounts of prediction markets cannot be read: ${describeOutageReason(error)}`;
    this.#options.outage.onFailure(error);
  }

  #apply(updates: readonly AccountUpdate[]): void {
    const orders = new Set<Address>();
    const positions = new Set<Address>();
    const results = new Set<string>();
    const note = (address: Address, account: FollowedPredictionAccount | null) => {
      if (account?.kind === 'order') orders.add(address);
      else if (account?.kind === 'position') positions.add(address);
      else if (account?.kind === 'result') results.add(account.marketIdHash);
    };
    for (const update of updates) {
      const { address, slot } = update;
      const seen = this.#seen.get(address);
      if (seen !== undefined && slot < seen.slot && update.isRollback !== true) continue;
      const before = this.#index.find(address);
      const after = this.#read(update);
      // The vault, or an account that is not known.
      if (before === null && after === null && update.account !== null) continue;
      this.#seen.set(address, { slot, isGone: after === null });
      this.#index.set(address, after);
      note(address, before);
      note(address, after);
    }
    this.#forgetGone();
    if (orders.size + positions.size + results.size === 0) return;
    const changed = { orders: [...orders], positions: [...positions], results: [...results] };
    for (const listener of [...this.#listeners]) listener(changed);
  }

  #read({ address, account }: AccountUpdate): FollowedPredictionAccount | null {
    if (account === null || account.owner !== PREDICTION_PROGRAM) return null;
    try {
      return readPredictionAccount(address, account.data);
    } catch (error) {
      if (!(error instanceof LayoutInvalid)) throw error;
      this.#options.onDefect(`account ${address} of prediction markets`, error);
      return null;
    }
  }

  #forgetGone(): void {
    const now = this.#options.chain.slot('processed');
    // After a reset, the network counts from 0 again.
    if (now < this.#forgetAt && this.#forgetAt - now <= REMEMBERED_SLOTS) return;
    this.#forgetAt = now + REMEMBERED_SLOTS;
    for (const [address, { slot, isGone }] of this.#seen) {
      if (isGone && (slot + REMEMBERED_SLOTS < now || slot > now)) this.#seen.delete(address);
    }
  }
}
