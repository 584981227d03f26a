import type { AccountUpdate } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import { describeOutageReason, type OutageLog } from '../../common/outage-log.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { createRepeatedWork, type RepeatedWork } from '../../common/work/repeated-work.ts';
import {
  decodeForecastConfig,
  type ForecastConfigAccount,
} from '../../protocols/bisonfi-forecast/forecast-config.ts';
import { FORECAST_CONFIG, FORECAST_PROGRAM } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import type { ForecastRound, ForecastRounds, ForecastSide } from '../forecast.ts';
import { readForecastRound } from './read-forecast-round.ts';

export interface ForecastRoundOptions {
  readonly chain: Pick<Chain, 'watchProgram' | 'getProgramAccounts' | 'slot'>;
  /** The feed whose rounds are followed. Null follows those of all feeds. */
  readonly feed: Address | null;
  readonly timers: Pick<Timers, 'after'>;
  /** Called when the accounts could not be read, and when they are again. */
  readonly outage: OutageLog;
  /** Called with an account that cannot be decoded. It is treated as if it did not exist. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** How often it tries again to read all accounts until it has succeeded once. */
const READ_EVERY_MS = 1_000;
/** How many slots an account that is gone is remembered. No update comes that much later. */
const REMEMBERED_SLOTS = 600n;

/** How an account was at a slot. One that is gone is remembered, because an older update of it may come later. */
interface SeenForecastAccount {
  readonly slot: bigint;
  readonly isGone: boolean;
}

interface TokensOfRound {
  readonly round: Address;
  readonly side: ForecastSide;
}

/**
 * The rounds and the settings of the forecast program, kept current by a watch. Updates may come out of order: what is known of a
 * later slot stays.
 */
export class ForecastRoundFollower implements ForecastRounds {
  readonly #options: ForecastRoundOptions;
  readonly #rounds = new Map<Address, ForecastRound>();
  readonly #mints = new Map<Address, TokensOfRound>();
  readonly #seen = new Map<Address, SeenForecastAccount>();
  readonly #listeners = new Set<(round: Address) => void>();
  readonly #reading: RepeatedWork;
  #config: ForecastConfigAccount | null = null;
  #list: readonly ForecastRound[] | null = null;
  #stopWatch: () => void = () => undefined;
  #failure: string | null = 'the rounds of forecasts could not be read yet';
  #forgetAt = 0n;

  private constructor(options: ForecastRoundOptions) {
    this.#options = options;
    this.#reading = createRepeatedWork({
      everyMs: READ_EVERY_MS,
      work: () => this.#readAll(),
      timers: options.timers,
      onError: (error) => this.#noteFailure(error),
    });
  }

  /**
   * Reads every round that exists now, and follows them until `close` is called. If the network does not answer, it opens with
   * what the watch tells, and reads them later.
   */
  static async open(options: ForecastRoundOptions): Promise<ForecastRoundFollower> {
    const follower = new ForecastRoundFollower(options);
    // The watch starts first, so that a change during the read is seen twice rather than missed.
    follower.#stopWatch = options.chain.watchProgram(FORECAST_PROGRAM, (updates) => follower.#apply(updates));
    await follower.#readAll().catch((error: unknown) => follower.#noteFailure(error));
    follower.#reading.start();
    return follower;
  }

  readonly find = (round: Address): ForecastRound | null => this.#rounds.get(round) ?? null;

  readonly findByMint = (
    mint: Address,
  ): { readonly round: ForecastRound; readonly side: ForecastSide } | null => {
    const tokens = this.#mints.get(mint);
    const round = tokens === undefined ? undefined : this.#rounds.get(tokens.round);
    return tokens === undefined || round === undefined ? null : { round, side: tokens.side };
  };

  /** Returns all rounds, in the order in which they open. */
  readonly list = (): readonly ForecastRound[] => {
    this.#list ??= [...this.#rounds.values()].sort(
      (one, other) => one.openAt - other.openAt || one.seconds - other.seconds,
    );
    return this.#list;
  };

  readonly onChange = (listener: (round: Address) => void): (() => void) => {
    const added = (round: Address) => listener(round);
    this.#listeners.add(added);
    return () => this.#listeners.delete(added);
  };

  /** Returns the settings of the program; null if they are not known. */
  get config(): ForecastConfigAccount | null {
    return this.#config;
  }

  /** Returns why rounds may be unknown, for the operator; null if all were read. */
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
    this.#apply(await this.#options.chain.getProgramAccounts(FORECAST_PROGRAM, 'processed'));
    this.#failure = null;
    this.#options.outage.onAnswer();
  }

  #noteFailure(error: unknown): void {
    this.#failure = `the rounds of forecasts cannot be read: ${describeOutageReason(error)}`;
    this.#options.outage.onFailure(error);
  }

  #apply(updates: readonly AccountUpdate[]): void {
    const changed = new Set<Address>();
    for (const update of updates) {
      const { address, slot } = update;
      const seen = this.#seen.get(address);
      if (seen !== undefined && slot < seen.slot && update.isRollback !== true) continue;
      const isKnown = address === FORECAST_CONFIG ? this.#setConfig(update) : this.#setRound(update, changed);
      // The sides of rounds never change, and nothing is asked of them.
      if (isKnown || seen !== undefined || update.account === null)
        this.#seen.set(address, { slot, isGone: !isKnown });
    }
    this.#forgetGone();
    for (const round of changed) for (const listener of [...this.#listeners]) listener(round);
  }

  /** Returns whether the account holds settings. */
  #setConfig({ address, account }: AccountUpdate): boolean {
    this.#config =
      account?.owner === FORECAST_PROGRAM
        ? this.#decode(address, () => decodeForecastConfig(account.data))
        : null;
    return this.#config !== null;
  }

  /** Returns whether the account holds a round that is followed. */
  #setRound({ address, account }: AccountUpdate, changed: Set<Address>): boolean {
    const before = this.#rounds.get(address) ?? null;
    const read =
      account?.owner === FORECAST_PROGRAM
        ? this.#decode(address, () => readForecastRound(address, account.data, before))
        : null;
    const { feed } = this.#options;
    const after = read !== null && (feed === null || read.feed === feed) ? read : null;
    if (before === null && after === null) return false;
    // Another opening price is that of a round of the same name, after the network began again.
    if (before?.outcome !== after?.outcome || before?.openPrice !== after?.openPrice) changed.add(address);
    this.#list = null;
    if (after === null) {
      this.#rounds.delete(address);
      for (const { mint } of before === null ? [] : [before.up, before.down]) this.#mints.delete(mint);
      return false;
    }
    this.#rounds.set(address, after);
    if (before !== null) return true;
    this.#mints.set(after.up.mint, { round: address, side: 'up' });
    this.#mints.set(after.down.mint, { round: address, side: 'down' });
    return true;
  }

  #decode<T>(address: Address, decode: () => T | null): T | null {
    try {
      return decode();
    } catch (error) {
      if (!(error instanceof LayoutInvalid)) throw error;
      this.#options.onDefect(`account ${address} of forecasts`, error);
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
