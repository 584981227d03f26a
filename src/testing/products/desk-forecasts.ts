import type { ForecastHolding, ForecastPoint, ForecastRound, Forecasts } from '../../forecasts/forecast.ts';
import { toForecastEvent, toForecastLifecycle } from '../../forecasts/events/forecast-event.ts';
import { readForecastRound } from '../../forecasts/rounds/read-forecast-round.ts';
import type { PredictionEvent } from '../../predictions/prediction.ts';
import { GENESIS_SCHEDULES } from '../../protocols/bisonfi-forecast/genesis.ts';
import {
  deriveForecastRound,
  deriveForecastSide,
  deriveForecastVault,
  deriveOutcomeMint,
  deriveOutcomeTokens,
  OUTCOME_SIDES,
} from '../../protocols/bisonfi-forecast/forecast-program.ts';
import {
  createOpenForecastRound,
  createSettleForecastRound,
} from '../../protocols/bisonfi-forecast/instructions/forecast-round-instructions.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM } from '../../solana/program-addresses.ts';
import {
  decodePriceFeed,
  encodePriceFeed,
  PRICE_FEED_PROGRAM,
} from '../../solana/programs/price-feed/feed.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import type { GenesisTestMarket } from '../genesis-market/open.ts';

/** What a wallet's tokens have cost, which the desk does not record by itself. */
type KnownCost = Pick<ForecastHolding, 'totalCost' | 'realizedPnl' | 'openedAt' | 'updatedAt'>;

const SECONDS = 300;
/** Turns of the event loop in which pools are read. */
const MAX_TURNS = 100;

/** Rounds over the genesis market and the real program, for tests of the product. What the instance records is set by the test. */
export class DeskForecasts implements Forecasts {
  /** By token account. Of others it is nothing. */
  readonly costs = new Map<Address, KnownCost>();
  /** Whether no holding is known yet. */
  isBehind = false;
  /** By market. */
  readonly points = new Map<string, readonly ForecastPoint[]>();
  readonly #market: GenesisTestMarket;
  readonly #opened: Address[] = [];

  constructor(market: GenesisTestMarket) {
    this.#market = market;
    market.network.loadShipped('aggregator');
    market.network.loadShipped('forecast');
  }

  readonly rounds: Forecasts['rounds'] = {
    find: (round) => this.#read(round),
    findByMint: (mint) => {
      for (const round of this.rounds.list()) {
        const side = OUTCOME_SIDES.find((each) => round[each].mint === mint);
        if (side !== undefined) return { round, side };
      }
      return null;
    },
    list: () => this.#opened.flatMap((address) => this.#read(address) ?? []),
    onChange: () => () => undefined,
  };

  readonly holdings: Forecasts['holdings'] = {
    find: (account) => (this.isBehind ? null : this.#readHolding(account)),
    holdingsOf: (owner) =>
      this.rounds
        .list()
        .flatMap(({ up, down }) => [up.mint, down.mint])
        .flatMap((mint) => this.#readHolding(deriveOutcomeTokens(owner, mint)) ?? []),
    holdersOf: () => [],
    catchUp: async () => undefined,
  };

  readonly series: Forecasts['series'] = {
    periodOf: () => 15,
    list: async (marketId) => this.points.get(marketId) ?? [],
  };

  /** Returns the events of all rounds. */
  listEvents(): readonly PredictionEvent[] {
    const now = Number(this.#market.chain.clock().unixTimestamp);
    return this.rounds.list().map((round) => toForecastEvent(round, toForecastLifecycle(round, now)));
  }

  /** Publishes the price of bitcoin as of now. Default: the price that it has. */
  publish(dollars?: number): void {
    const { network, chain } = this.#market;
    const { feed } = this.#schedule;
    const account = network.account(feed);
    if (account === null) throw new Error('the genesis has no feed of bitcoin');
    const before = decodePriceFeed(account.data);
    const price = dollars === undefined ? before.price : BigInt(Math.round(dollars * 10 ** -before.exponent));
    const { unixTimestamp } = chain.clock();
    const data = encodePriceFeed({
      ...before,
      price,
      confidence: price / 2_000n,
      previousPublishTime: before.publishTime,
      publishTime: unixTimestamp,
    });
    network.setData(feed, PRICE_FEED_PROGRAM, data);
    chain.publish([feed]);
  }

  /** Lets time pass to a second of the open round, and publishes the price. */
  passTo(round: Address, second: number, dollars?: number): void {
    const { openAt } = this.#require(round);
    this.#market.network.setUnixTime(BigInt(openAt + second));
    this.#market.chain.publish([]);
    this.publish(dollars);
  }

  /** Opens the round of five minutes that begins now, at a price, and waits until its pools are read. */
  async open(dollars = 108_500): Promise<ForecastRound> {
    this.publish(dollars);
    const { genesis, chain } = this.#market;
    const { unixTimestamp } = chain.clock();
    const openTime = unixTimestamp - (unixTimestamp % BigInt(SECONDS));
    const { feed } = this.#schedule;
    const round = deriveForecastRound({ feed, seconds: SECONDS, openTime }).address;
    const index = GENESIS_SCHEDULES.indexOf(this.#schedule);
    const operator = genesis.keys.forecastOperator.address;
    this.#land(
      createOpenForecastRound({ operator, index, schedule: this.#schedule, openTime }),
      [round, deriveForecastVault(round)],
      OUTCOME_SIDES.map((side) => deriveOutcomeMint(round, side).address),
      OUTCOME_SIDES.map((side) => deriveForecastSide(round, side).address),
    );
    this.#opened.push(round);
    const opened = this.#require(round);
    const isTraded = () =>
      [opened.up, opened.down].every(({ pool }) => this.#market.pools.find(pool) !== null);
    for (let turn = 0; turn < MAX_TURNS && !isTraded(); turn++) await new Promise(setImmediate);
    return opened;
  }

  /** Settles a round by the price that is published now. */
  settle(round: Address): void {
    this.#land(createSettleForecastRound({ round, feed: this.#schedule.feed }), [round]);
  }

  get #schedule() {
    const schedule = GENESIS_SCHEDULES.find(({ seconds }) => seconds === SECONDS);
    if (schedule === undefined) throw new Error('the genesis has no rounds of five minutes');
    return schedule;
  }

  #land(instruction: Instruction, ...changed: readonly (readonly Address[])[]): void {
    const { network, chain } = this.#market;
    const { error, logs } = network.send([instruction]);
    if (error !== null) throw new Error(`${error.custom ?? error.kind}: ${logs.join('\n')}`);
    chain.publish(changed.flat());
  }

  #read(address: Address): ForecastRound | null {
    const account = this.#market.network.account(address);
    return account === null ? null : readForecastRound(address, account.data);
  }

  #require(address: Address): ForecastRound {
    const round = this.#read(address);
    if (round === null) throw new Error(`there is no round ${address}`);
    return round;
  }

  #readHolding(account: Address): ForecastHolding | null {
    const found = this.#market.network.account(account);
    if (found === null || found.owner !== TOKEN_2022_PROGRAM) return null;
    const { owner, mint, amount } = decodeTokenAccount(found.data);
    if (amount === 0n || this.rounds.findByMint(mint) === null) return null;
    const cost = this.costs.get(account) ?? { totalCost: 0n, realizedPnl: 0n, openedAt: 0, updatedAt: 0 };
    return { account, owner, mint, contracts: amount, ...cost };
  }
}
