import type { Account } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import type { KeeperSender } from '../../predictions/keeper/sending/keeper-sender.ts';
import type { ForecastSchedule } from '../../protocols/bisonfi-forecast/forecast-config.ts';
import { deriveForecastRound, FORECAST_RESERVE } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import {
  createCloseForecastRound,
  createOpenForecastRound,
  createSettleForecastRound,
  createVoidForecastRound,
} from '../../protocols/bisonfi-forecast/instructions/forecast-round-instructions.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { decodePriceFeed, PRICE_FEED_PROGRAM } from '../../solana/programs/price-feed/feed.ts';
import { isTokenAccount, readTokenAccountAmount } from '../../solana/programs/token/account.ts';
import type { ForecastRound } from '../forecast.ts';
import type { ForecastRoundFollower } from '../rounds/forecast-round-follower.ts';
import type { ForecastKeeperMetrics } from './forecast-keeper-metrics.ts';
import type { KeeperTasks, TaskOutcome } from './keeper-tasks.ts';
import type { RoundPayouts } from './round-payouts.ts';
import {
  findCellStart,
  findOpening,
  findRoundStep,
  type JudgedPrice,
  mayOpenAt,
  SHOWN_SECONDS,
} from './round-steps.ts';

/** What a transaction with a round does, as metrics name it. */
type RoundTask = 'open' | 'settle' | 'void' | 'close';

export interface RoundMinderOptions {
  readonly chain: Pick<Chain, 'clock' | 'getAccounts'>;
  readonly rounds: Pick<ForecastRoundFollower, 'find' | 'list' | 'config'>;
  readonly operator: Address;
  readonly sender: Pick<KeeperSender, 'run'>;
  readonly tasks: KeeperTasks;
  readonly payoutTasks: KeeperTasks;
  readonly payouts: RoundPayouts;
  readonly metrics: Pick<ForecastKeeperMetrics, 'transactions' | 'roundsMissed'>;
  readonly mayGoOn: () => boolean;
}

/** The round of a schedule that was current in the last turn. */
interface CurrentCell {
  readonly openAt: number;
  /** Whether it was to be opened, and has not been. */
  readonly isOwed: boolean;
}

/** Looks at all schedules and rounds, and begins what is due. */
export class RoundMinder {
  readonly #options: RoundMinderOptions;
  /** By the place of the schedule. */
  readonly #cells = new Map<number, CurrentCell>();
  #reserve: bigint | null = null;
  #problem: string | null = null;
  #turns = 0;

  constructor(options: RoundMinderOptions) {
    this.#options = options;
  }

  /** What the reserve holds, in micro USD; null before it was read. */
  get reserve(): bigint | null {
    return this.#reserve;
  }

  /** Why a round that is due is not opened, for the operator; null if none is missing. */
  get problem(): string | null {
    return this.#problem;
  }

  /** @throws ChainUnavailable when the network does not answer */
  async mindAll(): Promise<void> {
    const { chain, rounds, payouts, tasks, payoutTasks } = this.#options;
    const schedules = rounds.config?.schedules ?? [];
    const list = rounds.list();
    const feeds = new Set(schedules.map(({ feed }) => feed));
    for (const { feed, outcome } of list) if (outcome === null) feeds.add(feed);
    const addresses = [...feeds];
    const [reserve, ...accounts] = await chain.getAccounts([FORECAST_RESERVE, ...addresses]);
    this.#reserve = readReserve(reserve?.account ?? null);
    const prices = new Map(
      addresses.map((feed, index) => [feed, readPrice(accounts[index]?.account ?? null)]),
    );
    const now = Number(chain.clock().unixTimestamp);
    this.#problem = rounds.config === null ? 'the settings of the forecast program are gone' : null;
    for (const [index, schedule] of schedules.entries()) {
      this.#mindSchedule(index, schedule, prices.get(schedule.feed) ?? null, now);
    }
    // Each turn begins with another round, so that all of them get their turns however much there is to pay in some.
    const first = list.length === 0 ? 0 : this.#turns++ % list.length;
    for (const round of [...list.slice(first), ...list.slice(0, first)]) {
      this.#mindRound(round, prices.get(round.feed) ?? null, now);
    }
    payouts.keepOnly((round) => rounds.find(round) !== null);
    tasks.forgetOld();
    payoutTasks.forgetOld();
  }

  #mindSchedule(index: number, schedule: ForecastSchedule, price: JudgedPrice | null, now: number): void {
    const { operator } = this.#options;
    const { feed, seconds, asset, funding } = schedule;
    const openAt = findOpening(schedule, (at) => this.#isOpened(schedule, at), now);
    this.#noteCell(index, schedule, openAt, now);
    if (openAt === null) return;
    if (price === null || !mayOpenAt(price, now)) {
      this.#problem ??= `the feed of ${asset} has no current price, so no round is opened`;
      return;
    }
    if (this.#reserve === null || this.#reserve < funding) {
      this.#problem ??= `the reserve of forecasts holds ${this.#reserve ?? 0n} micro USD, and a round of ${asset} needs ${funding}`;
      return;
    }
    const instruction = createOpenForecastRound({ operator, index, schedule, openTime: BigInt(openAt) });
    const { address } = deriveForecastRound({ feed, seconds, openTime: BigInt(openAt) });
    this.#begin('open', address, instruction);
  }

  /** Counts a round that was due and is over without having been opened. */
  #noteCell(index: number, schedule: ForecastSchedule, missing: number | null, now: number): void {
    const openAt = findCellStart(schedule, now);
    const before = this.#cells.get(index);
    if (before !== undefined && before.openAt < openAt && before.isOwed) {
      this.#options.metrics.roundsMissed.add();
    }
    const wasOwed = before?.openAt === openAt && before.isOwed;
    const isOwed = missing !== null || (wasOwed && !this.#isOpened(schedule, openAt));
    this.#cells.set(index, { openAt, isOwed });
  }

  #isOpened({ feed, seconds }: ForecastSchedule, openAt: number): boolean {
    const { address } = deriveForecastRound({ feed, seconds, openTime: BigInt(openAt) });
    return this.#options.rounds.find(address) !== null;
  }

  #mindRound(round: ForecastRound, price: JudgedPrice | null, now: number): void {
    const { operator, payouts, payoutTasks } = this.#options;
    const { address, feed, outcome } = round;
    const step = findRoundStep(round, price, now);
    if (step === 'settle') this.#begin(step, address, createSettleForecastRound({ round: address, feed }));
    else if (step === 'void') this.#begin(step, address, createVoidForecastRound(address));
    if (outcome === null) return;
    if (!payouts.isEmpty(round)) payoutTasks.begin(address, () => payouts.pay({ ...round, outcome }));
    else if (now >= round.settledAt + SHOWN_SECONDS) {
      this.#begin('close', address, createCloseForecastRound(operator, address));
    }
  }

  #begin(task: RoundTask, round: Address, instruction: Instruction): void {
    this.#options.tasks.begin(`${task} ${round}`, () => this.#send(task, round, instruction));
  }

  /** The rents of a round come back when it is closed, so they do not count as gas. */
  async #send(task: RoundTask, round: Address, instruction: Instruction): Promise<TaskOutcome> {
    const { sender, metrics, mayGoOn } = this.#options;
    const work = { instructions: [instruction], wallet: round, rent: 0n, isGift: false };
    const { kind } = await sender.run(work, mayGoOn);
    metrics.transactions.add({ task, outcome: kind === 'done' ? 'success' : kind });
    return kind === 'done' ? 'done' : 'failed';
  }
}

function readReserve(account: Account | null): bigint {
  return account === null || !isTokenAccount(account.data) ? 0n : readTokenAccountAmount(account.data);
}

/** Returns the price of a feed; null for an account that is none, or that is not verified in full. */
function readPrice(account: Account | null): JudgedPrice | null {
  if (account?.owner !== PRICE_FEED_PROGRAM) return null;
  try {
    return decodePriceFeed(account.data);
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
