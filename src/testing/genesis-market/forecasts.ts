import { decodeForecastRound } from '../../protocols/bisonfi-forecast/forecast-accounts.ts';
import {
  deriveForecastRound,
  deriveForecastSide,
  deriveForecastUsdc,
  deriveOutcomeMint,
  deriveOutcomeTokens,
  FORECAST_PROGRAM,
  OUTCOME_SIDES,
  type OutcomeSide,
} from '../../protocols/bisonfi-forecast/forecast-program.ts';
import { GENESIS_SCHEDULES } from '../../protocols/bisonfi-forecast/genesis.ts';
import {
  createCloseForecastRound,
  createOpenForecastRound,
  createSettleForecastRound,
} from '../../protocols/bisonfi-forecast/instructions/forecast-round-instructions.ts';
import { createForecastPayout } from '../../protocols/bisonfi-forecast/instructions/forecast-token-instructions.ts';
import { getGenesisFeed } from '../../protocol/genesis/price-feeds.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import {
  decodePriceFeed,
  encodePriceFeed,
  PRICE_FEED_PROGRAM,
} from '../../solana/programs/price-feed/feed.ts';
import type { GenesisTestMarket } from './open.ts';

/** A round on the price of bitcoin in a test market, with a clock and a feed that the test moves. */
export class TestRound {
  readonly address: Address;
  readonly #market: GenesisTestMarket;
  readonly #openTime: bigint;

  private constructor(market: GenesisTestMarket, openTime: bigint) {
    this.#market = market;
    this.#openTime = openTime;
    const [schedule] = GENESIS_SCHEDULES;
    if (schedule === undefined) throw new Error('the genesis has no schedule');
    this.address = deriveForecastRound({ ...schedule, openTime }).address;
  }

  /** Opens a round of 5 minutes at a time at which none was opened before. */
  static open(market: GenesisTestMarket, openTime: bigint): TestRound {
    const round = new TestRound(market, openTime);
    const [schedule] = GENESIS_SCHEDULES;
    if (schedule === undefined) throw new Error('the genesis has no schedule');
    round.publish(0n, OPEN_PRICE);
    round.#must(createOpenForecastRound({ operator: round.#operator, index: 0, schedule, openTime }));
    market.chain.publish(round.#accounts());
    return round;
  }

  mint(side: OutcomeSide): Address {
    return deriveOutcomeMint(this.address, side).address;
  }

  pool(side: OutcomeSide): Address {
    return deriveForecastSide(this.address, side).address;
  }

  /** Publishes a price, in the unit of the feed, at a number of seconds after the open, where the clock then stands. */
  publish(second: bigint, price: bigint): void {
    const { network, chain } = this.#market;
    this.passTo(second);
    const before = decodePriceFeed(network.account(FEED)?.data ?? new Uint8Array(0));
    const { publishTime: previousPublishTime } = before;
    const publishTime = this.#openTime + second;
    const [confidence, postedSlot] = [price / 2_000n, chain.slot('processed') + 1n];
    const data = encodePriceFeed({
      ...before,
      price,
      confidence,
      publishTime,
      previousPublishTime,
      postedSlot,
    });
    network.setData(FEED, PRICE_FEED_PROGRAM, data);
    chain.publish([FEED]);
  }

  /** Sets the clock to a number of seconds after the open. */
  passTo(second: bigint): void {
    this.#market.network.setUnixTime(this.#openTime + second);
  }

  settle(): void {
    this.#must(createSettleForecastRound({ round: this.address, feed: FEED }));
    this.#market.chain.publish(this.#accounts());
  }

  /** Pays out the tokens of a holder, on both sides where it has an account. */
  payOut(owner: Address): void {
    for (const side of OUTCOME_SIDES) {
      if (this.#market.network.account(deriveOutcomeTokens(owner, this.mint(side))) === null) continue;
      this.#must(createForecastPayout(this.#operator, { round: this.address, side, owner }));
    }
  }

  close(): void {
    this.#must(createCloseForecastRound(this.#operator, this.address));
    this.#market.chain.publish(this.#accounts());
  }

  read() {
    const account = this.#market.network.account(this.address);
    return account?.owner === FORECAST_PROGRAM ? decodeForecastRound(account.data) : null;
  }

  get #operator(): Address {
    return this.#market.genesis.keys.forecastOperator.address;
  }

  #accounts(): readonly Address[] {
    const sides = OUTCOME_SIDES.flatMap((side) => [this.pool(side), this.mint(side)]);
    return [this.address, ...sides, deriveForecastUsdc(this.address)];
  }

  #must(instruction: Instruction): void {
    const { error, logs } = this.#market.network.send([instruction], { feePayer: this.#operator });
    if (error !== null) throw new Error(`${JSON.stringify(error)}\n${logs.join('\n')}`);
  }
}

const FEED = getGenesisFeed('BTC').address;
/** 108,500 dollars. */
const OPEN_PRICE = 10_850_000_000_000n;
